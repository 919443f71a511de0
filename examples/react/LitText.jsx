import 'bert-headlight/element/define';

/** A text and why the model says what it says of it: `explanation` is what `model.explain(text, { words: true })` gives. */
export function LitText({ text, explanation, onChoose }) {
  return (
    <headlight-text
      text={text}
      tokens={explanation.words}
      weights={explanation.scores.data}
      signed={true}
      onheadlight-query={(event) => onChoose?.(event.detail)}
    />
  );
}
