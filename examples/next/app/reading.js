'use client';

import { load } from 'bert-headlight';
import { useEffect, useState } from 'react';

export function Reading() {
  const [result, setResult] = useState(null);
  useEffect(() => {
    const loading = load('./model');
    const read = async () => {
      const model = await loading;
      const [best] = await model.classify('the movie was good');
      setResult({ ...best, worker: model.platform.worker });
    };
    read();
    return () => loading.then((model) => model.dispose());
  }, []);
  return <output>{result && JSON.stringify(result)}</output>;
}
