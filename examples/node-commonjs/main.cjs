async function main() {
  const { load } = await import('bert-headlight');
  const model = await load('./model');
  const [best] = await model.classify('the movie was good');
  console.log(JSON.stringify({ ...best, worker: model.platform.worker }));
}

main();
