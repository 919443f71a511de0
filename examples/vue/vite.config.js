import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag.startsWith('headlight-');

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
