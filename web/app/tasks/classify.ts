import { html, nothing, type TemplateResult } from 'lit';
import type { LabelScore, ModelInfo } from '../../src/types.js';
import { percent, say } from '../phrases.js';
import type { Task } from '../registry.js';
import type { Strings } from '../strings/index.js';
import { labelRow } from '../table/task.js';
import { foundOne, noVerdict, scoredVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';

interface Classified {
  labels: readonly LabelScore[];
  problemType: string;
}

/** Of several labels each on its own, those that count as found. */
const FOUND = 0.5;

/** Labels that are about two texts. */
const aboutPairs = /^(entail|contradict|neutral$|(not[ _-]?)?(duplicate|equivalent|paraphrase))/i;

/** Whether a model may take a second text: its labels say so, or do not tell. */
const mayTakePairs = ({ labels }: ModelInfo): boolean =>
  labels.length === 1 || labels.some((label) => aboutPairs.test(label) || /^LABEL_\d+$/.test(label));

const task: Task<Classified> = {
  id: 'classify',
  order: 10,
  name: (strings) => strings.classify.name,
  fits: ({ tasks }) => tasks.includes('classify'),

  fields: (info) => [
    { name: 'text', label: (strings) => strings.yourText },
    ...(info && mayTakePairs(info)
      ? [{ name: 'pair' as const, label: (strings: Strings) => strings.classify.pair, optional: true }]
      : []),
  ],

  examples: [
    {
      name: 'The movie was absolutely fantastic!',
      fields: { text: 'The movie was absolutely fantastic!' },
    },
    {
      name: 'A man is playing / a man sleeps',
      fields: { text: 'A man is playing a guitar on stage.', pair: 'A man is asleep.' },
    },
  ],

  async run(model, { text, pair }, signal) {
    const textPair = mayTakePairs(model.info) && pair.trim() !== '' ? pair : null;
    const input = textPair === null ? text : { text, textPair };
    const attention = await wholeAttention(model, input, signal);
    const { problemType } = model.info;
    return { text, pair: textPair, attention, answer: { labels: attention.labels, problemType } };
  },

  verdict({ answer, strings }) {
    if (!answer) return noVerdict;
    if (answer.problemType === 'regression') return regression(answer.labels);
    if (answer.problemType === 'multi_label_classification') return several(answer.labels, strings);
    const [first, ...others] = answer.labels;
    const next = others.length > 1 ? html`<span class="quiet">${others.slice(0, 2).map(labelled)}</span>` : nothing;
    return scoredVerdict(html`<bdi>${first!.label}</bdi>`, first!.score, next);
  },

  // The most faithful of the methods: docs/faithfulness.md.
  light: 'occlusion',
  hint: (strings) => strings.classify.hint,

  table: {
    labels: ({ labels, problemType }) => (problemType === 'single_label_classification' ? labels : []),
    async read(model, texts, signal) {
      const results = await model.classify(texts, { specialTokensInText: 'text', signal });
      const each = model.info.problemType === 'multi_label_classification';
      return results.map((labels) => {
        const found = each ? labels.filter(({ score }) => score >= FOUND) : labels.slice(0, 1);
        const label = found.map((one) => one.label).join(', ');
        return labelRow({ label, score: labels[0]!.score });
      });
    },
  },
};

const labelled = ({ label, score }: LabelScore): TemplateResult =>
  html`<span class="labelled"><bdi>${label}</bdi> ${percent(score)}</span> `;

/** The value of each label; it has no bounds, so no bar. */
const regression = (labels: readonly LabelScore[]): TemplateResult =>
  html`<div class="verdict">
    ${labels.map(
      ({ label, score }) =>
        html`<strong class="number">${score.toFixed(3)}</strong> <span class="quiet"><bdi>${label}</bdi></span>`,
    )}
  </div>`;

function several(labels: readonly LabelScore[], strings: Strings): TemplateResult {
  const found = labels.filter(({ score }) => score >= FOUND);
  const rest = labels.filter(({ score }) => score < FOUND).slice(0, 3);
  return html`<div class="verdict">
    ${
      found.length > 0
        ? found.map(({ label, score }) => foundOne(label, percent(score)))
        : html`<strong>${say(strings.classify.noneFound, { threshold: percent(FOUND) })}</strong>`
    }
    <span class="quiet">${rest.map(labelled)}</span>
  </div>`;
}

export default task;
