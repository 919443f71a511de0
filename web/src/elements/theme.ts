// One palette for all elements: custom properties with defaults for light and dark, by the page's color-scheme.

import { css } from 'lit';

/**
 * --headlight-for: the tint of a full positive weight, under the ink; --headlight-for-mark: its underline.
 * --headlight-against, --headlight-against-mark: the same for negative weights.
 */
export const palette = css`
  :host {
    --_ink: var(--headlight-ink, light-dark(oklch(0.23 0.012 70), oklch(0.93 0.012 85)));
    --_paper: var(--headlight-paper, light-dark(oklch(0.988 0.006 90), oklch(0.175 0.008 75)));
    --_quiet: var(--headlight-quiet, light-dark(oklch(0.49 0.014 75), oklch(0.71 0.014 80)));
    --_line: var(--headlight-line, light-dark(oklch(0.88 0.012 85), oklch(0.32 0.012 75)));
    --_for: var(--headlight-for, light-dark(oklch(0.84 0.152 82), oklch(0.47 0.102 72)));
    --_for-mark: var(--headlight-for-mark, light-dark(oklch(0.63 0.145 66), oklch(0.82 0.155 80)));
    --_against: var(--headlight-against, light-dark(oklch(0.82 0.085 245), oklch(0.45 0.088 250)));
    --_against-mark: var(--headlight-against-mark, light-dark(oklch(0.53 0.13 250), oklch(0.75 0.11 245)));
    --_focus: var(--headlight-focus, light-dark(oklch(0.45 0.13 255), oklch(0.8 0.1 245)));
    --_font: var(
      --headlight-font,
      'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', Georgia, 'Noto Serif', 'Songti SC', SimSun,
      'Noto Serif CJK SC', serif
    );
    --_ui: var(--headlight-ui-font, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK SC', sans-serif);
    display: block;
    color: var(--_ink);
    font: 14px/1.5 var(--_ui);
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 20px;
    min-height: 28px;
    color: var(--_quiet);
    font-size: 13px;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px 20px;
    max-width: 100%;
  }
  .tools:has(details[open]) {
    flex-basis: 100%;
  }
  details[open] {
    order: 1;
    flex-basis: 100%;
    min-width: 0;
    color: var(--_ink);
  }
  details summary {
    width: max-content;
    min-height: 24px;
    line-height: 24px;
    color: var(--_quiet);
    font-size: 13px;
    cursor: pointer;
  }
  .scroll {
    overflow: auto;
    max-height: 24rem;
    max-width: 100%;
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
  }
  th,
  td {
    padding: 2px 12px 2px 0;
    text-align: start;
    font-weight: 400;
    white-space: nowrap;
  }
  th {
    color: var(--_quiet);
  }
  td.number,
  th.number {
    text-align: end;
  }
`;

/** The palette as it computes on an element now, for canvases and files, as 'rgb(…)' and numbers. */
export interface Colors {
  ink: string;
  paper: string;
  quiet: string;
  for: string;
  forMark: string;
  against: string;
  againstMark: string;
}

const cssColor = /^rgba?\((\d+), (\d+), (\d+)/;

/** 'rgb(r, g, b)' of any CSS colour, through a pixel: what is painted is what is told. */
export function rgb(color: string): [number, number, number] {
  const plain = cssColor.exec(color);
  if (plain) return [Number(plain[1]), Number(plain[2]), Number(plain[3])];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return [r!, g!, b!];
}

/** Reads the palette of a host; `probe` is any element of its shadow root. */
export function colorsOf(probe: HTMLElement): Colors {
  const computed = (property: string): string => {
    probe.style.setProperty('color', `var(${property})`);
    const [r, g, b] = rgb(getComputedStyle(probe).color);
    return `rgb(${r}, ${g}, ${b})`;
  };
  const colors = {
    ink: computed('--_ink'),
    paper: computed('--_paper'),
    quiet: computed('--_quiet'),
    for: computed('--_for'),
    forMark: computed('--_for-mark'),
    against: computed('--_against'),
    againstMark: computed('--_against-mark'),
  };
  probe.style.removeProperty('color');
  return colors;
}

/** Calls back when the palette may have changed: theme, forced colours. Returns what ends it. */
export function onThemeChange(callback: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', callback);
  return () => {
    for (const query of queries) query.removeEventListener('change', callback);
  };
}

/**
 * The colour of a head among `heads`, by hue; its number always stands beside it, since so many hues are not told apart by
 * everyone. dark: for files, which have no colour scheme.
 */
export function headColor(head: number, heads: number, dark?: boolean): string {
  const hue = Math.round((40 + (head * 360) / heads) % 360);
  const light = `oklch(0.58 0.14 ${hue})`;
  const onDark = `oklch(0.78 0.12 ${hue})`;
  if (dark !== undefined) return `rgb(${rgb(dark ? onDark : light).join(', ')})`;
  return `light-dark(${light}, ${onDark})`;
}

/** Whether the paper is darker than the ink. */
export function isDark({ paper, ink }: Colors): boolean {
  const sum = (color: string) => rgb(color).reduce((total, part) => total + part, 0);
  return sum(paper) < sum(ink);
}
