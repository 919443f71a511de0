import { load } from 'bert-headlight';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { LitText } from './LitText.jsx';

const text = 'the movie was good';
const model = await load('./model');
const [best] = await model.classify(text);
const explanation = await model.explain(text, { words: true });

function Reading() {
  const [chosen, setChosen] = useState(null);
  return (
    <>
      <LitText text={text} explanation={explanation} onChoose={({ index }) => setChosen(index)} />
      <p>{explanation.words[chosen]?.text}</p>
      <output>{JSON.stringify({ ...best, worker: model.platform.worker })}</output>
    </>
  );
}

createRoot(document.querySelector('#app')).render(<Reading />);
