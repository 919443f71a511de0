# HEADLIGHT_PREFIX: the folder outside the checkout where scripts/setup.mjs keeps what it gets.
# A variable that is set but empty counts as not set, as there.
if(NOT "$ENV{HEADLIGHT_TOOLS}" STREQUAL "")
  set(HEADLIGHT_PREFIX "$ENV{HEADLIGHT_TOOLS}")
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(HEADLIGHT_PREFIX "$ENV{XDG_CACHE_HOME}/headlight")
else()
  set(HEADLIGHT_PREFIX "$ENV{HOME}/.cache/headlight")
endif()
