#include "kernels/gemm_i8_wasm.h"

namespace headlight::kernels {
namespace {

alignas(16) constexpr std::int16_t kOnes[8] = {1, 1, 1, 1, 1, 1, 1, 1};

// Weights of a panel that one group of activations meets.
constexpr std::size_t kGroupBytes = kPanelColumns * kU7Group;

// Products of two values, w by x, added in 16 bits.
v128_t dot(v128_t w, v128_t x) { return wasm_i16x8_relaxed_dot_i8x16_i7x16(w, x); }

// Where the 32-bit dot product is made of several instructions, most of these widen and add what the 16-bit one gives. They
// are needed half as often when two groups are added in 16 bits first, which all but a few pairs of groups allow.
template <std::size_t Rows>
struct TileU7By16 {
  using Sums = v128_t[Rows][2];

  static void run(const GemmI8& g, std::size_t row, std::size_t column, const TileOutput& output) {
    const std::size_t groups = (g.k + kU7Group - 1) / kU7Group;
    const std::int8_t* w = g.panels + column * groups * kU7Group;
    const std::int8_t* const panel = w;
    const std::int8_t* const last = panel + groups / 2 * 2 * kGroupBytes;
    const std::byte* a = g.a + row * g.a_stride;
    const std::uint32_t* stop = g.w_notes + g.w_notes[column / kPanelColumns];
    const v128_t ones = load_opaque(kOnes);
    Sums sum;
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) sum[r][0] = sum[r][1] = wasm_i32x4_const_splat(0);
    while (true) {
      const std::int8_t* const end = panel + *stop++ * 2 * kGroupBytes;
      for (; w != end; w += 2 * kGroupBytes, a += 2 * kU7Group) add_pair(a, g.a_stride, w, ones, sum);
      if (end == last) break;
      for (int i = 0; i < 2; ++i, w += kGroupBytes, a += kU7Group) add_group(a, g.a_stride, w, ones, sum);
    }
    if (groups % 2) add_group(a, g.a_stride, w, ones, sum);
    store_scaled(g, row, column, sum, output);
  }

 private:
  // The functions below are one with the loop, so that the sums stay in registers.
  [[gnu::always_inline]] static void add_pair(const std::byte* a, std::size_t a_stride, const std::int8_t* w,
                                              v128_t ones, Sums& sum) {
    const v128_t w0[2] = {wasm_v128_load(w), wasm_v128_load(w + kGroupBytes / 2)};
    const v128_t w1[2] = {wasm_v128_load(w + kGroupBytes), wasm_v128_load(w + kGroupBytes * 3 / 2)};
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) {
      const v128_t x0 = wasm_v128_load32_splat(a + r * a_stride);
      const v128_t x1 = wasm_v128_load32_splat(a + r * a_stride + kU7Group);
#pragma unroll
      for (std::size_t half = 0; half < 2; ++half) {
        const v128_t products = wasm_i16x8_add(dot(w0[half], x0), dot(w1[half], x1));
        sum[r][half] = wasm_i32x4_add(sum[r][half], wasm_i32x4_dot_i16x8(products, ones));
      }
    }
  }

  [[gnu::always_inline]] static void add_group(const std::byte* a, std::size_t a_stride, const std::int8_t* w,
                                               v128_t ones, Sums& sum) {
    const v128_t w0[2] = {wasm_v128_load(w), wasm_v128_load(w + kGroupBytes / 2)};
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) {
      const v128_t x = wasm_v128_load32_splat(a + r * a_stride);
#pragma unroll
      for (std::size_t half = 0; half < 2; ++half) {
        sum[r][half] = wasm_i32x4_add(sum[r][half], wasm_i32x4_dot_i16x8(dot(w0[half], x), ones));
      }
    }
  }
};

// Whether the products of a pair of groups, whose activations are from 0 to 127, stay within 16 bits when they are added two by
// two and then to each other. The groups stand one after the other, each [8][4].
bool fits_16_bits(const std::int8_t* groups) {
  for (std::size_t i = 0; i < kGroupBytes; i += 2) {
    int least = 0;
    int greatest = 0;
    for (const std::int8_t* group : {groups + i, groups + i + kGroupBytes}) {
      for (const int w : {group[0], group[1]}) (w < 0 ? least : greatest) += 127 * w;
    }
    if (least < -32768 || greatest > 32767) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> note_u7s8__relaxed16(const std::int8_t* panels, std::size_t panel_count,
                                                std::size_t groups) {
  std::vector<std::uint32_t> notes(panel_count);
  for (std::size_t i = 0; i < panel_count; ++i) {
    notes[i] = static_cast<std::uint32_t>(notes.size());
    for (std::size_t pair = 0; pair < groups / 2; ++pair) {
      if (!fits_16_bits(panels + (i * groups + 2 * pair) * kGroupBytes))
        notes.push_back(static_cast<std::uint32_t>(pair));
    }
    notes.push_back(static_cast<std::uint32_t>(groups / 2));
  }
  return notes;
}

void gemm_u7s8_6x8__relaxed16(const GemmI8& g) { gemm_i8_wasm<TileU7By16>(g); }

}  // namespace headlight::kernels
