import { css } from 'lit';

export const styles = css`
  .plot {
    max-width: 520px;
    cursor: crosshair;
  }
  svg {
    display: block;
    width: 100%;
    height: auto;
    overflow: visible;
  }
  text {
    fill: var(--_quiet);
    font: 12px var(--_ui);
  }
  .grid {
    stroke: var(--_line);
  }
  path {
    fill: none;
    stroke-linejoin: round;
  }
  path.own {
    stroke: var(--_for-mark);
    stroke-width: 2.5;
  }
  path.chance {
    stroke: var(--_quiet);
    stroke-width: 1.5;
    stroke-dasharray: 4 4;
  }
  circle {
    fill: var(--_for-mark);
  }
  circle.told {
    stroke: var(--_ink);
    stroke-width: 2;
  }
  .legend {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .key {
    width: 24px;
    border-top: 2.5px solid var(--_for-mark);
  }
  .key.chance {
    margin-inline-start: 12px;
    border-top: 2px dashed var(--_quiet);
  }
  output {
    color: var(--_ink);
    min-width: 17em;
  }
  @media (forced-colors: active) {
    path.own,
    circle {
      stroke: CanvasText;
    }
  }
  @media print {
    details,
    output {
      display: none;
    }
  }
`;
