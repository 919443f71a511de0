import type { Demo } from '../registry.js';

const demo: Demo = {
  id: 'fill-mask-zh',
  order: 40,
  name: { en: 'Chinese fill-in-the-blank', zh: '中文填空' },
  task: 'fillMask',
  model: './models/fill-mask-zh',
  examples: [
    { name: '味道很＿', fields: { text: '味道很[MASK]，下次还会来。' } },
    { name: '送餐太＿了', fields: { text: '送餐太[MASK]了，等了两个小时。' } },
    { name: '房间很＿净，服务也很＿', fields: { text: '房间很[MASK]净，服务也很[MASK]。' } },
  ],
};

export default demo;
