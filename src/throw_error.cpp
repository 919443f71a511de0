#include "throw_error.h"

namespace headlight {

void throw_error(ErrorCode code, const TextPiece& message) { throw_error(code, message, {}); }

void throw_error(ErrorCode code, const TextPiece& message, const FaultPlace& place) {
  throw Error(code, concat(message),
              {.file = concat(place.file), .tensor = concat(place.tensor), .offset = place.offset});
}

}  // namespace headlight
