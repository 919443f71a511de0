import type { Demo } from '../registry.js';

const demo: Demo = {
  id: 'sentiment-en',
  order: 10,
  name: { en: 'English film reviews', zh: '英文影评' },
  task: 'classify',
  model: './models/sentiment-en',
  examples: [
    {
      name: 'The movie was absolutely fantastic!',
      fields: { text: 'The movie was absolutely fantastic!' },
    },
    {
      name: 'Not my evening',
      fields: {
        text: 'I wanted to like it. The cast is fine and the music is lovely, but the story never gets going, and by the second hour I was counting the lamps on the ceiling.',
      },
    },
    {
      name: 'A long review',
      fields: {
        text: [
          'I went in expecting little, and came out glad that I had gone.',
          'The first half hour takes its time: a lighthouse, a keeper who hardly speaks, a boat that comes once a week. Then the radio breaks, and without raising its voice the film turns into something tense, funny and strangely tender.',
          'What I admired most is how gracefully it trusts us. Nobody tells you what the letters say. Nobody tells you why the daughter left. The camera waits, the way the keeper waits, and after a while you notice that you have been leaning forward for twenty minutes.',
          'The dream is one dream too many, and the man from the harbour office belongs in another film. But the last scene, with the lamp turning over an empty sea, is among the most beautiful things I have seen this year.',
          'Go alone, sit near the front, and let it shine.',
        ].join('\n\n'),
      },
    },
  ],
};

export default demo;
