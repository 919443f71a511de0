#include "weights/pickle.h"
#include "throw_error.h"

#include <algorithm>
#include <cstring>

#include "headlight.h"

namespace headlight {
namespace {

enum class Global : std::uint8_t { ordered_dict, rebuild_tensor, rebuild_parameter, storage };

struct GlobalEntry {
  std::string_view name;
  Global global;
  DType dtype = DType::F32;  // of a storage
};

constexpr GlobalEntry kGlobals[] = {
    {"collections OrderedDict", Global::ordered_dict},
    {"torch._utils _rebuild_tensor_v2", Global::rebuild_tensor},
    {"torch._utils _rebuild_parameter", Global::rebuild_parameter},
    {"torch DoubleStorage", Global::storage, DType::F64},
    {"torch FloatStorage", Global::storage, DType::F32},
    {"torch HalfStorage", Global::storage, DType::F16},
    {"torch BFloat16Storage", Global::storage, DType::BF16},
    {"torch LongStorage", Global::storage, DType::I64},
    {"torch IntStorage", Global::storage, DType::I32},
    {"torch ShortStorage", Global::storage, DType::I16},
    {"torch CharStorage", Global::storage, DType::I8},
    {"torch ByteStorage", Global::storage, DType::U8},
    {"torch BoolStorage", Global::storage, DType::BOOL},
};

constexpr std::size_t kMaxLine = 256;   // of a global's name
constexpr std::size_t kMaxText = 4096;  // of a tensor's name or a storage's key
constexpr std::size_t kMaxDimensions = 8;
constexpr int kProtocol = 2;  // what torch.save writes

// A whole number of up to eight bytes, the lowest first.
std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return number;
}

std::string hex(unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  return {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

void PickleReader::fail(const TextPiece& what) const {
  throw_error(ErrorCode::E_MODEL_CORRUPT, what, {.file = file_, .offset = begin_ + opcode_at_});
}

void PickleReader::fail_unsupported(const TextPiece& what) const {
  throw_error(ErrorCode::E_UNSUPPORTED_WEIGHTS, what, {.file = file_, .offset = begin_ + opcode_at_});
}

bool PickleReader::feed(std::span<const std::byte>& bytes) {
  while (!ended_ && !bytes.empty()) {
    pending_.push_back(static_cast<char>(bytes.front()));
    bytes = bytes.subspan(1);
    if (++position_ > kMaxBytes) {
      fail_unsupported({"The pickle is longer than ", kMaxBytes, " bytes"});
    }
    if (!read_opcode()) continue;
    pending_.clear();
    opcode_at_ = position_;
  }
  return ended_;
}

// The `size` bytes at `at` of the opcode, once they are all that is there.
std::optional<std::string_view> PickleReader::argument(std::size_t at, std::size_t size) const {
  if (pending_.size() < at + size) return std::nullopt;
  return std::string_view(pending_).substr(at, size);
}

bool PickleReader::read_opcode() {
  const auto opcode = static_cast<unsigned char>(pending_[0]);
  // The argument of a fixed size that follows the opcode.
  std::size_t size = 0;
  switch (opcode) {
    case 0x80:
    case 'K':
    case 'q':
    case 'h':
    case 0x8a:
      size = 1;
      break;
    case 'M':
      size = 2;
      break;
    case 'J':
    case 'X':
    case 'r':
    case 'j':
      size = 4;
      break;
    case 'G':
      size = 8;
      break;
  }
  const auto fixed = argument(1, size);
  if (!fixed) return false;
  const std::uint64_t number = number_of(*fixed);
  switch (opcode) {
    case 0x80:  // PROTO
      if (number != kProtocol) fail_unsupported({"Pickles of protocol ", number, " are not supported"});
      break;
    case '.':  // STOP
      if (stack_.size() != 1) fail("The pickle does not end with one value");
      ended_ = true;
      break;
    case 'N':
      push(Kind::none);
      break;
    case 0x88:
      push(Kind::boolean, 1);
      break;
    case 0x89:
      push(Kind::boolean, 0);
      break;
    case 'K':
    case 'M':
      push(Kind::integer, number);
      break;
    case 'J':
      push(Kind::integer, static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(number)}));
      break;
    case 'G':
      push(Kind::real);
      break;
    case 0x8a: {  // LONG1
      const auto bytes = argument(2, number);
      if (!bytes) return false;
      const bool fits =
          bytes->size() < 8 || (bytes->size() == 8 && static_cast<signed char>(bytes->back()) >= 0);
      if (fits && (bytes->empty() || static_cast<signed char>(bytes->back()) >= 0)) {
        push(Kind::integer, number_of(*bytes));
      } else {
        push_text(Kind::big_integer, *bytes);
      }
      break;
    }
    case 'X': {  // BINUNICODE
      if (number > kMaxText) fail_unsupported({"A text of ", number, " bytes is too long"});
      const auto bytes = argument(5, number);
      if (!bytes) return false;
      push_text(Kind::text, *bytes);
      break;
    }
    case 'c': {  // GLOBAL: module and name, a line each
      const auto lines = std::count(pending_.begin(), pending_.end(), '\n');
      if (pending_.size() > kMaxLine) fail("The name of a global is too long");
      if (lines < 2) return false;
      std::string name = pending_.substr(1, pending_.size() - 2);
      std::replace(name.begin(), name.end(), '\n', ' ');
      push_global(name);
      break;
    }
    case ')':
      push_sequence({});
      break;
    case ']':
      push_sequence({});
      break;
    case '}':
      push_sequence({}, Kind::dictionary);
      break;
    case '(':
      push(Kind::mark);
      break;
    case 't':
      push_sequence(pop_to_mark());
      break;
    case 0x85:
    case 0x86:
    case 0x87: {  // TUPLE1, TUPLE2, TUPLE3
      Sequence values(opcode - 0x84u);
      for (std::size_t i = values.size(); i-- > 0;) values[i] = pop();
      push_sequence(std::move(values));
      break;
    }
    case 'a':
    case 'e': {  // APPEND, APPENDS
      const Sequence added = opcode == 'a' ? Sequence{pop()} : pop_to_mark();
      if (top().kind != Kind::sequence) fail("The pickle appends to what is no list");
      Sequence& list = sequences_[top().number];
      list.insert(list.end(), added.begin(), added.end());
      break;
    }
    case 's': {  // SETITEM
      const Value value = pop();
      const Value key = pop();
      add_items({key, value});
      break;
    }
    case 'u':
      add_items(pop_to_mark());
      break;
    case 'q':
    case 'r':
      remember(number);
      break;
    case 'h':
    case 'j':
      recall(number);
      break;
    case 'R':
      reduce();
      break;
    case 'b':
      build();
      break;
    case 'Q':
      persist();
      break;
    default:
      fail_unsupported({"The pickle's opcode ", hex(opcode), " is none that holds tensors"});
  }
  return true;
}

void PickleReader::push_text(Kind kind, std::string_view bytes) {
  push(kind, texts_.size());
  texts_.emplace_back(bytes);
}

void PickleReader::push_sequence(Sequence values, Kind kind) {
  push(kind, sequences_.size());
  sequences_.push_back(std::move(values));
}

void PickleReader::push_global(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kGlobals); ++i) {
    if (kGlobals[i].name == name) return push(Kind::global, i);
  }
  std::string dotted(name);
  std::replace(dotted.begin(), dotted.end(), ' ', '.');
  fail_unsupported({"The pickle asks for ", dotted, ", which no plain checkpoint needs"});
}

PickleReader::Value& PickleReader::top() {
  if (stack_.empty() || stack_.back().kind == Kind::mark) fail("The pickle takes a value that is not there");
  return stack_.back();
}

PickleReader::Value PickleReader::pop() {
  const Value value = top();
  stack_.pop_back();
  return value;
}

PickleReader::Sequence PickleReader::pop_to_mark() {
  const auto mark = std::find_if(stack_.rbegin(), stack_.rend(),
                                 [](const Value& value) { return value.kind == Kind::mark; });
  if (mark == stack_.rend()) fail("The pickle goes back to a mark that is not there");
  Sequence values(mark.base(), stack_.end());
  stack_.erase(mark.base() - 1, stack_.end());
  return values;
}

PickleReader::Sequence& PickleReader::top_dictionary() {
  if (top().kind != Kind::dictionary) fail("The pickle sets an item of what is no dictionary");
  return sequences_[top().number];
}

void PickleReader::add_items(const Sequence& items) {
  if (items.size() % 2 != 0) fail("The pickle has a key without a value");
  Sequence& dictionary = top_dictionary();
  dictionary.insert(dictionary.end(), items.begin(), items.end());
}

// Picklers number what they remember from 0.
void PickleReader::remember(std::uint64_t index) {
  if (index > memo_.size()) fail("The pickle remembers out of order");
  if (index == memo_.size()) memo_.emplace_back();
  memo_[index] = top();
}

void PickleReader::recall(std::uint64_t index) {
  if (index >= memo_.size()) fail("The pickle recalls what it has not remembered");
  stack_.push_back(memo_[index]);
}

// An OrderedDict's attributes: of a state_dict its _metadata, the versions of the modules.
void PickleReader::build() {
  pop();
  top_dictionary();
}

void PickleReader::reduce() {
  const Value arguments = pop();
  const Value callable = pop();
  if (callable.kind != Kind::global || arguments.kind != Kind::sequence)
    fail("The pickle calls what is no function");
  const Sequence values = sequences_[arguments.number];
  switch (kGlobals[callable.number].global) {
    case Global::ordered_dict:
      if (!values.empty()) fail_unsupported("The pickle makes an OrderedDict of arguments");
      push_sequence({}, Kind::dictionary);
      return;
    case Global::rebuild_tensor:
      return push(Kind::tensor, add_tensor(values));
    case Global::rebuild_parameter:  // tensor, requires_grad, hooks
      if (values.size() != 3 || values[0].kind != Kind::tensor) fail("A parameter holds no tensor");
      stack_.push_back(values[0]);
      return;
    case Global::storage:
      fail_unsupported("The pickle makes a storage of its own");
  }
}

std::uint64_t PickleReader::size_of(const Value& value) const {
  if (value.kind != Kind::integer || value.number >> 63 != 0) fail("A size is no whole number of 0 or more");
  return value.number;
}

// storage, offset, size, stride, requires_grad, hooks, and since 2.0 perhaps metadata
std::size_t PickleReader::add_tensor(const Sequence& arguments) {
  if (arguments.size() < 6 || arguments.size() > 7 || arguments[0].kind != Kind::storage ||
      arguments[2].kind != Kind::sequence || arguments[3].kind != Kind::sequence) {
    fail("A tensor lacks its storage, its size or its strides");
  }
  PickledTensor tensor{.storage = static_cast<std::size_t>(arguments[0].number),
                       .offset = size_of(arguments[1]),
                       .shape = {},
                       .strides = {}};
  const Sequence& shape = sequences_[arguments[2].number];
  const Sequence& strides = sequences_[arguments[3].number];
  if (shape.size() != strides.size() || shape.size() > kMaxDimensions) {
    fail({"A tensor has ", shape.size(), " dimensions and ", strides.size(), " strides"});
  }
  // The last element that the view reaches must lie within the storage.
  const std::uint64_t available = storages_[tensor.storage].elements;
  std::uint64_t last = tensor.offset;
  const bool empty =
      std::any_of(shape.begin(), shape.end(), [this](const Value& size) { return size_of(size) == 0; });
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t dimension = size_of(shape[i]);
    const std::uint64_t stride = size_of(strides[i]);
    const std::uint64_t steps = empty ? 0 : dimension - 1;
    if (steps > 0 && dimension > available && stride > 0) fail("A tensor is larger than its storage");
    if (steps > 0 && stride > available / steps) fail("A tensor reaches past its storage");
    last += steps * stride;
    if (dimension > SIZE_MAX) fail("A dimension is too large");
    tensor.shape.push_back(static_cast<std::size_t>(dimension));
    tensor.strides.push_back(stride);
  }
  if (empty ? tensor.offset > available : last >= available) fail("A tensor reaches past its storage");
  tensors_.push_back(std::move(tensor));
  return tensors_.size() - 1;
}

// "storage", its type, its key, where it was, its number of elements, and in the older form a view (none).
void PickleReader::persist() {
  const Value id = pop();
  const Sequence values = id.kind == Kind::sequence ? sequences_[id.number] : Sequence{};
  const bool known = values.size() >= 5 && values.size() <= 6 && values[0].kind == Kind::text &&
                     texts_[values[0].number] == "storage" && values[1].kind == Kind::global &&
                     kGlobals[values[1].number].global == Global::storage && values[2].kind == Kind::text &&
                     values[3].kind == Kind::text;
  if (!known) fail_unsupported("The pickle refers to something else than a storage");
  if (values.size() == 6 && values[5].kind != Kind::none) {
    fail_unsupported("The pickle refers to a part of a storage");
  }
  const PickledStorage storage{.key = texts_[values[2].number],
                               .dtype = kGlobals[values[1].number].dtype,
                               .elements = size_of(values[4])};
  if (storage.elements > UINT64_MAX / 64) fail("A storage is too large");
  const auto [found, is_new] = storage_by_key_.emplace(storage.key, storages_.size());
  if (is_new) storages_.push_back(storage);
  const PickledStorage& known_storage = storages_[found->second];
  if (known_storage.dtype != storage.dtype || known_storage.elements != storage.elements) {
    fail({"The storage ", storage.key, " has two types or sizes"});
  }
  push(Kind::storage, found->second);
}

}  // namespace headlight
