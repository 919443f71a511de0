throw new Error('no worker of threads');
