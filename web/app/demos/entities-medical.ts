import type { Demo } from '../registry.js';

const demo: Demo = {
  id: 'entities-medical',
  order: 30,
  name: { en: 'Diseases in clinical text', zh: '英文病历里的疾病' },
  task: 'entities',
  model: './models/entities-medical',
  examples: [
    {
      name: 'The patient suffers from…',
      fields: { text: 'The patient suffers from severe headaches and occasional nausea.' },
    },
    {
      name: 'A discharge note',
      fields: {
        text: 'A 64-year-old woman with type 2 diabetes and hypertension was admitted with chest pain. She was started on aspirin and metoprolol; metformin was stopped because of acute renal failure.',
      },
    },
    {
      name: 'A side effect',
      fields: {
        text: 'Two weeks after starting carbamazepine he developed a skin rash and fever. Liver injury was ruled out, the seizures did not return, and the rash faded once the drug was withdrawn.',
      },
    },
  ],
};

export default demo;
