import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = join(import.meta.dirname, '..')
const readme = readFileSync(join(here, 'README.md'), 'utf8')

describe('the README', () => {
  it.each(readdirSync(join(here, 'examples')))('shows examples/%s as it is', (file) => {
    expect(readme).toContain(`\`examples/${file}\`\n\`\`\`js\n${readFileSync(join(here, 'examples', file), 'utf8')}\`\`\`\n`)
  })
})
