// For @custom-elements-manifest/analyzer: dist/custom-elements.json from the comments of web/src/elements.

// What users see: neither private members nor states, under the module that they import.
function publicFace() {
  const internal = new Set();
  return {
    name: 'public-face',
    analyzePhase({ ts, node, moduleDoc }) {
      // static properties = { name: { state: true } }
      if (!ts.isPropertyDeclaration(node) || node.name.getText() !== 'properties') return;
      const owner = moduleDoc.declarations.find(({ name }) => name === node.parent.name.getText());
      for (const property of node.initializer.properties) {
        if (/\bstate: true\b/.test(property.getText())) internal.add(`${owner.name}.${property.name.getText()}`);
      }
    },
    packageLinkPhase({ customElementsManifest: manifest }) {
      for (const module of manifest.modules) {
        module.declarations = module.declarations.filter(({ customElement }) => customElement);
        for (const element of module.declarations) clean(element);
      }
      const elements = manifest.modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName);
      const path = 'dist/elements/index.js';
      const exported = ({ name }) => ({ kind: 'js', name, declaration: { name, module: path } });
      const defined = ({ tagName, name }) => ({ kind: 'custom-element-definition', name: tagName, declaration: { name, module: path } });
      manifest.modules = [
        { kind: 'javascript-module', path, declarations: elements, exports: elements.map(exported) },
        { kind: 'javascript-module', path: 'dist/elements/define.js', declarations: [], exports: elements.map(defined) },
      ];
    },
  };

  function clean(element) {
    const isInternal = ({ name, fieldName = name, privacy, inheritedFrom }) =>
      (privacy ?? 'public') !== 'public' ||
      internal.has(`${element.name}.${fieldName}`) ||
      internal.has(`${inheritedFrom?.name}.${fieldName}`);
    element.members = element.members?.filter((member) => !isInternal(member));
    element.attributes = element.attributes?.filter((attribute) => !isInternal(attribute));
    // Of the helper that sends whatever event it is told to.
    element.events = element.events?.filter(({ name }) => name !== 'type');
    delete element.superclass;
    for (const part of Object.values(element).flat()) delete part.inheritedFrom;
  }
}

export default {
  globs: ['web/src/elements/*.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [publicFace()],
};
