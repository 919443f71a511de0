// Named entities: what the tokens of a text are, merged as asked.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

// As Model::begin_entities. Throws E_TASK_MISMATCH where the model does not classify tokens, E_INVALID_ARGUMENT for a
// pair of texts, E_TOO_LONG as options.text says.
std::unique_ptr<Task<Entities>> begin_entities(const Model& model, std::span<const Input> inputs,
                                               const EntityOptions& options);

// A label of a scheme that tells an entity's tokens apart: "B-PER" begins and "I-PER" continues one; "E-PER" and
// "L-PER" end it, "S-PER" and "U-PER" are one of a single token.
struct EntityLabel {
  char position;          // 'B', 'I', 'E' or 'S'; without a scheme 'I'
  std::string_view name;  // "PER"
};

// B- and I- are taken for a scheme always, the others where labels hold the same name with B- or I-.
std::vector<EntityLabel> read_entity_labels(std::span<const std::string> labels);

// Whether a token of label `next` belongs to the entity of its neighbour before it.
bool continues_entity(const EntityLabel& previous, const EntityLabel& next);

}  // namespace headlight
