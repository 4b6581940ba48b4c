// Catch2 2.13 (Debian 12) and 3 (newer systems) name their headers differently.
#pragma once

#ifdef TELLTALE_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
