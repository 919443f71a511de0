import { html, nothing } from 'lit';
import { percent } from '../phrases.js';
import type { Task } from '../registry.js';
import { wholeAttention } from '../whole-attention.js';

const task: Task = {
  id: 'classify',
  order: 10,
  model: './models/sentiment-en',
  examples: [
    { name: 'The movie was absolutely fantastic!', text: 'The movie was absolutely fantastic!' },
    {
      name: 'Not my evening',
      text: 'I wanted to like it. The cast is fine and the music is lovely, but the story never gets going, and by the second hour I was counting the lamps on the ceiling.',
    },
    {
      name: 'A long review',
      text: [
        'I went in expecting little, and came out glad that I had gone.',
        'The first half hour takes its time: a lighthouse, a keeper who hardly speaks, a boat that comes once a week. Then the radio breaks, and without raising its voice the film turns into something tense, funny and strangely tender.',
        'What I admired most is how gracefully it trusts us. Nobody tells you what the letters say. Nobody tells you why the daughter left. The camera waits, the way the keeper waits, and after a while you notice that you have been leaning forward for twenty minutes.',
        'The dream is one dream too many, and the man from the harbour office belongs in another film. But the last scene, with the lamp turning over an empty sea, is among the most beautiful things I have seen this year.',
        'Go alone, sit near the front, and let it shine.',
      ].join('\n\n'),
    },
    {
      name: '超级差评 上菜慢…',
      text: '超级差评\u00a0\u00a0上菜慢\u00a0服务态度超级差、先把汤上来喝饱了\u00a0完事菜就上了一个，找服务员催半天也上不来最后结账态度超级差一个个子不高在门口附近桌子的服务员',
    },
  ],

  fits: (info) => info.tasks.includes('classify'),

  async run(model, text, signal) {
    const attention = await wholeAttention(model, text, signal);
    return { attention, labels: attention.labels };
  },

  render({ labels }, strings) {
    const [first] = labels;
    if (!first) return html`<p class="quiet">${strings.noVerdict}</p>`;
    return html`<div class="verdict">
      <strong><bdi>${first.label}</bdi></strong>
      <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-all" width="100" height="1" />
        <rect class="bar-score" width=${(first.score * 100).toFixed(2)} height="1" />
      </svg>
      <span class="number">${percent(first.score)}</span>
      ${
        labels.length > 2
          ? html`<span class="quiet">${labels.slice(1, 3).map(({ label, score }) => html`<bdi>${label}</bdi> ${percent(score)} `)}</span>`
          : nothing
      }
    </div>`;
  },
};

export default task;
