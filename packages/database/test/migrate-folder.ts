import { migrate } from '../src/migrate.js'

// The runner as a process, so that a test can kill it.
const [url = '', folder = '', schema = ''] = process.argv.slice(2)
await migrate({ url, folder, schema })
