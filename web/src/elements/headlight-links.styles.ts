import { css } from 'lit';

export const styles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 20px;
    margin-bottom: 8px;
    color: var(--_quiet);
    font-size: 13px;
  }
  .heads {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 3px;
  }
  .heads button {
    min-width: 26px;
    height: 28px;
    padding: 0 4px;
    border: 1px solid var(--_line);
    border-bottom: 5px solid var(--_head);
    border-radius: 3px;
    background: none;
    color: var(--_quiet);
    font: inherit;
    line-height: 1;
    cursor: pointer;
  }
  .heads button[aria-pressed='true'] {
    border-color: var(--_quiet);
    border-bottom-color: var(--_head);
    color: var(--_ink);
    font-weight: 600;
  }
  .heads button[aria-pressed='false'] {
    border-bottom-color: color-mix(in oklab, var(--_head) 30%, transparent);
  }
  .heads button:disabled {
    border-style: dashed;
    border-bottom: 1px dashed var(--_line);
    text-decoration: line-through;
    cursor: default;
  }
  select {
    min-height: 28px;
    font: inherit;
    color: var(--_ink);
    background: var(--_paper);
    border: 1px solid var(--_line);
    border-radius: 3px;
  }
  .links {
    overflow: auto;
    max-height: var(--headlight-map-height, 44rem);
  }
  .stage {
    display: grid;
    grid-template-columns: minmax(0, max-content) minmax(72px, 320px) minmax(0, max-content);
    min-width: 0;
  }
  .column {
    display: grid;
    grid-auto-rows: 24px;
    min-width: 5em;
    max-width: 38cqw;
  }
  :host {
    container-type: inline-size;
  }
  .column span {
    line-height: 24px;
    padding: 0 8px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    cursor: default;
    border-radius: 2px;
  }
  .column span:focus-visible {
    outline-offset: -2px;
  }
  .from span {
    text-align: end;
    cursor: pointer;
  }
  .told {
    background: color-mix(in oklab, var(--_quiet) 16%, transparent);
  }
  [aria-selected='true'] {
    font-weight: 600;
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .between {
    position: relative;
  }
  svg {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  path {
    fill: none;
    vector-effect: non-scaling-stroke;
  }
  .foot {
    margin-top: 8px;
  }
  output {
    color: var(--_ink);
    min-width: 17em;
  }
  @media (forced-colors: active) {
    path,
    .heads button {
      forced-color-adjust: none;
    }
  }
  @media print {
    details,
    output {
      display: none;
    }
    .links {
      overflow: visible;
      max-height: none;
    }
  }
`;
