import { css } from 'lit';

export const styles = css`
  .row,
  .columns {
    display: grid;
    grid-template-columns: 1.6em 1fr 6px repeat(var(--_columns), 1fr);
    gap: 3px;
    align-items: center;
  }
  .row + .row {
    margin-top: 3px;
  }
  .name,
  .columns {
    color: var(--_quiet);
    font-size: 12px;
  }
  .columns {
    margin: 4px 0 8px;
    font-size: 11px;
    text-align: center;
  }
  :host(:not([strip])) .long {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .name {
    position: relative;
  }
  .mean,
  .columns span:nth-child(2) {
    grid-column: 2;
  }
  .mean + .cell,
  .columns span:nth-child(3) {
    grid-column: 4;
  }
  .cell {
    aspect-ratio: 1;
    min-width: 0;
    background: color-mix(in oklab, var(--_quiet) 9%, transparent);
    border-radius: 2px;
    cursor: pointer;
    overflow: hidden;
  }
  .mean {
    border-radius: 50%;
  }
  canvas {
    display: block;
    width: 100%;
    height: 100%;
    image-rendering: pixelated;
    forced-color-adjust: none;
  }
  .cell.off {
    background:
      linear-gradient(to top right, transparent 47%, var(--_quiet) 47% 53%, transparent 53%),
      linear-gradient(to bottom right, transparent 47%, var(--_quiet) 47% 53%, transparent 53%);
  }
  .cell.off canvas,
  .cell.pruned canvas {
    visibility: hidden;
  }
  .cell.pruned {
    box-sizing: border-box;
    border: 1px dashed color-mix(in oklab, var(--_quiet) 60%, transparent);
    background: linear-gradient(var(--_quiet), var(--_quiet)) center / 40% 1.5px no-repeat;
    cursor: default;
  }
  .cell:not(.pruned):hover {
    outline: 1.5px solid var(--_quiet);
    outline-offset: 1px;
  }
  .cell[aria-selected='true'] {
    outline: 2px solid var(--_ink);
    outline-offset: 1px;
  }
  .cell:focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 1px;
  }
  :host([strip]) .grid {
    display: flex;
    gap: 18px;
    overflow-x: auto;
    overscroll-behavior-x: contain;
    padding: 2px 3px 8px;
  }
  :host([strip]) .row {
    grid-template-columns: none;
    grid-template-rows: 20px 48px;
    grid-auto-flow: column;
    gap: 2px 5px;
    flex: none;
    margin: 0;
  }
  :host([strip]) .name {
    grid-column: 1 / -1;
    justify-self: start;
    position: sticky;
    left: 0;
  }
  :host([strip]) .short,
  :host([strip]) .columns {
    display: none;
  }
  :host([strip]) :is(.cell, .mean) {
    grid-row: 2;
    grid-column: auto;
  }
  :host([strip]) .cell {
    width: 48px;
    flex: none;
  }
  @media (forced-colors: active) {
    .cell {
      border: 1px solid;
    }
    .cell.pruned {
      border: 1px dashed GrayText;
    }
    .cell[aria-selected='true'] {
      outline-color: Highlight;
    }
  }
  @media print {
    details {
      display: none;
    }
  }
`;
