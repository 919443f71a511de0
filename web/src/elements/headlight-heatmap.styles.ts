import { css } from 'lit';

export const styles = css`
  :host {
    container-type: inline-size;
  }
  .scroll-map {
    overflow: auto;
    max-height: var(--headlight-map-height, 44rem);
    padding-bottom: 4px;
  }
  .map {
    /* What the names of the rows take; a longer one is cut. */
    --_longest: min(176px, 45cqw);
    --_names: min(var(--_longest), var(--_letters, 12) * 7px);
    --_fit: calc((100cqw - var(--_names) - 10px) / var(--_columns, 1));
    --_cell: clamp(var(--headlight-cell-min, 16px), var(--_fit), var(--headlight-cell-max, 56px));
    --_height: max(16px, min(var(--_cell), 26px));
    display: grid;
    grid-template-columns: max-content max-content;
    width: max-content;
  }
  .columns {
    grid-column: 2;
    display: grid;
    grid-template-columns: repeat(var(--_columns), var(--_cell));
    align-items: end;
    position: sticky;
    top: 0;
    z-index: 2;
    background: var(--_paper);
    padding-bottom: 4px;
  }
  .columns .down,
  .columns .up {
    writing-mode: vertical-rl;
    text-align: end;
  }
  .columns .up {
    transform: rotate(180deg);
    text-align: start;
  }
  .columns span {
    max-height: 7.5em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 12px;
    width: var(--_cell);
    line-height: var(--_cell);
  }
  .columns .level {
    line-height: 1.3;
    text-align: center;
  }
  .rows {
    display: grid;
    grid-template-rows: repeat(var(--_rows), var(--_height));
    position: sticky;
    left: 0;
    z-index: 1;
    background: var(--_paper);
    padding-inline-end: 8px;
    color: var(--_quiet);
    font-size: 12px;
    text-align: end;
  }
  .rows span {
    line-height: var(--_height);
    max-width: var(--_longest);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .rows .selected {
    color: var(--_ink);
    font-weight: 600;
  }
  .cursor-cell {
    position: relative;
    width: calc(var(--_columns) * var(--_cell));
    height: calc(var(--_rows) * var(--_height));
    cursor: crosshair;
    background: color-mix(in oklab, var(--_quiet) 7%, transparent);
  }
  canvas {
    display: block;
    width: 100%;
    height: 100%;
    image-rendering: pixelated;
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  .cursor,
  .selected-row {
    position: absolute;
    pointer-events: none;
    left: calc(var(--column) * var(--_cell));
    top: calc(var(--row) * var(--_height));
    width: var(--_cell);
    height: var(--_height);
    outline: 2px solid var(--_ink);
    outline-offset: -1px;
  }
  .selected-row {
    width: 100%;
    outline-width: 1px;
  }
  .foot {
    margin-top: 8px;
  }
  .legend {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .ramp {
    width: 90px;
    height: 12px;
    background: linear-gradient(to right, color-mix(in oklab, var(--_quiet) 7%, transparent), var(--_for-mark));
    print-color-adjust: exact;
  }
  .ramp.signed {
    background: linear-gradient(
      to right,
      var(--_against-mark),
      color-mix(in oklab, var(--_quiet) 7%, transparent),
      var(--_for-mark)
    );
  }
  output {
    color: var(--_ink);
    min-width: 17em;
  }
  .note {
    margin: 4px 0;
    color: var(--_quiet);
    font-size: 13px;
  }
  @media (forced-colors: active) {
    .ramp,
    .ramp.signed {
      forced-color-adjust: none;
      background: linear-gradient(to right, Canvas, CanvasText);
      border: 1px solid CanvasText;
    }
  }
  @media print {
    details,
    output {
      display: none;
    }
    .scroll-map {
      overflow: visible;
      max-height: none;
    }
  }
`;
