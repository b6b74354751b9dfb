import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = join(import.meta.dirname, '..')
const page = readFileSync(join(here, '../../docs/sdk.md'), 'utf8')

describe('docs/sdk.md', () => {
  it.each(readdirSync(join(here, 'examples')))('shows examples/%s as it is', (file) => {
    expect(page).toContain(`\`examples/${file}\`\n\`\`\`js\n${readFileSync(join(here, 'examples', file), 'utf8')}\`\`\`\n`)
  })
})
