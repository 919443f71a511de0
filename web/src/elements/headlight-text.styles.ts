import { css } from 'lit';

export const styles = css`
  .stage {
    position: relative;
  }
  .lines {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    overflow: visible;
    pointer-events: none;
    fill: none;
    stroke: var(--_for-mark);
    z-index: 1;
  }
  p {
    margin: 0;
    font-family: var(--_font);
    font-size: var(--headlight-size, clamp(20px, 0.9rem + 1vw, 26px));
    line-height: 1.9;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
    cursor: text;
  }
  p + p {
    margin-top: 0.5em;
  }
  .token,
  .step {
    --w: 0;
    --u: 0px;
    /* The underline is painted, not laid out: new weights move nothing and cost a repaint. */
    background: linear-gradient(var(--_for-mark) 0 0) bottom / 100% var(--u) no-repeat;
    background-color: color-mix(in oklab, var(--_for) calc(var(--w) * 100%), transparent);
    print-color-adjust: exact;
  }
  .token[data-sign='against'],
  .step[data-sign='against'] {
    /* Two lines: a gap of half the thickness in the middle third. */
    background-image: linear-gradient(var(--_against-mark) 40%, transparent 40% 60%, var(--_against-mark) 60%);
    background-color: color-mix(in oklab, var(--_against) calc(var(--w) * 100%), transparent);
  }
  .few .token {
    transition: background-color 120ms;
  }
  .token {
    position: relative;
    padding-block: 0.12em 0.2em;
    border-radius: 2px;
    cursor: pointer;
  }
  .token.continues {
    border-inline-start: 1px solid var(--_quiet);
    margin-inline-start: -1px;
  }
  .token[aria-selected='true'] {
    outline: 1.5px solid var(--_ink);
    outline-offset: 1px;
  }
  .token:focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
    z-index: 1;
  }
  .token[data-weight]:is(:hover, :focus-visible)::after {
    content: attr(data-weight);
    position: absolute;
    inset-inline-start: 0;
    bottom: calc(100% - 0.1em);
    padding-inline: 3px;
    border-radius: 2px;
    background: var(--_ink);
    color: var(--_paper);
    font: 12px/16px var(--_ui);
    white-space: nowrap;
    pointer-events: none;
    unicode-bidi: isolate;
    direction: ltr;
    z-index: 2;
  }
  .cut {
    color: var(--_quiet);
    text-decoration: line-through 1px;
  }
  .folded::after {
    content: '…';
    display: inline-block;
  }
  .foot {
    margin-top: 8px;
  }
  /* On a line of their own, so that nothing moves when the legend grows. */
  .foot .tools {
    flex-basis: 100%;
  }
  .foot button {
    min-height: 24px;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .foot button:hover {
    color: var(--_ink);
  }
  .foot .more {
    color: var(--_ink);
    text-decoration: underline 1px var(--_line);
    text-underline-offset: 4px;
  }
  .foot button[aria-pressed='true'] {
    color: var(--_ink);
    text-decoration: underline 1.5px;
    text-underline-offset: 4px;
  }
  .legend {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    min-height: 24px;
  }
  .ramp {
    display: inline-flex;
    align-items: stretch;
    height: 16px;
    border: 1px solid var(--_line);
  }
  .step {
    width: 16px;
  }
  @media (prefers-reduced-motion: reduce) {
    .few .token {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .token,
    .step {
      border-bottom: var(--u) solid;
    }
    .token[data-sign='against'],
    .step[data-sign='against'] {
      border-bottom-style: double;
    }
    .token[aria-selected='true'] {
      outline-color: Highlight;
    }
    .token[data-weight]:is(:hover, :focus-visible)::after {
      border: 1px solid;
    }
  }
  @media print {
    details {
      display: none;
    }
  }
`;
