import type { Demo } from '../registry.js';

const demo: Demo = {
  id: 'sentiment-zh',
  order: 20,
  name: { en: 'Chinese shop reviews', zh: '中文点评' },
  task: 'classify',
  model: './models/sentiment-zh',
  examples: [
    {
      name: '超级差评 上菜慢…',
      fields: {
        text: '超级差评\u00a0\u00a0上菜慢\u00a0服务态度超级差、先把汤上来喝饱了\u00a0完事菜就上了一个，找服务员催半天也上不来最后结账态度超级差一个个子不高在门口附近桌子的服务员',
      },
    },
    {
      name: '环境很好，下次还来',
      fields: { text: '环境很好，菜也新鲜，老板娘特别热情，走的时候还送了水果，下次还会带朋友来。' },
    },
    {
      name: '味道不错，可是…',
      fields: { text: '味道其实不错，可是等位等了一个多小时，上来的汤还是凉的，问了两次都没人理。' },
    },
  ],
};

export default demo;
