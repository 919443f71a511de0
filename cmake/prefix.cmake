# HEADLIGHT_PREFIX: the folder outside the checkout where scripts/setup.mjs keeps what it gets.
if(DEFINED ENV{HEADLIGHT_TOOLS})
  set(HEADLIGHT_PREFIX "$ENV{HEADLIGHT_TOOLS}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(HEADLIGHT_PREFIX "$ENV{XDG_CACHE_HOME}/headlight")
else()
  set(HEADLIGHT_PREFIX "$ENV{HOME}/.cache/headlight")
endif()
