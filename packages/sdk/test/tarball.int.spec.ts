import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// What somebody has who has nothing but the tarball: a folder with it, and with what the examples use besides.

const here = join(import.meta.dirname, '..')
const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'trestle-sdk-'))
const installed = join(home, 'node_modules/@trestle/sdk')

const TYPED = `
import { RpcError } from '@trestle/sdk/json-rpc'
import { Problem } from '@trestle/sdk/problem'
import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'

const trestle = createTrestle({ url: 'http://127.0.0.1:8080' })
const me = trestle.with({ token: accountSession(trestle, { email: 'a', password: 'b' }) })
const { nodePass }: { nodePass: string } = await me.nodes.nodes.create({ body: { image: 'ltc' } })
const pages: AsyncGenerator<{ service: string }[], void> = me.accounts.events.list.pages({ signal: AbortSignal.timeout(1) })
const csv: string = await me.staking.reports.validators()
for await (const told of me.btc.events.stream()) if (told.event === 'block') told.data.height satisfies number
// @ts-expect-error: there is no such image.
await me.nodes.nodes.create({ body: { image: 'doge' } })
// @ts-expect-error: the body is missing.
await me.nodes.nodes.create({})
export { csv, nodePass, pages, Problem, RpcError }
`

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(here, 'tarball.mjs'), join(home, 'packed')])
  mkdirSync(installed, { recursive: true })
  await run('tar', ['xzf', stdout.trim(), '-C', installed, '--strip-components=1'])
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(home, 'typed.ts'), TYPED)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the tarball', () => {
  it('runs alone', async () => {
    const script = `
      const { createTrestle } = await import('@trestle/sdk/trestle')
      const { Problem } = await import('@trestle/sdk/problem')
      const trestle = createTrestle({ url: 'http://127.0.0.1:1', retries: 0 })
      const error = await trestle.nodes.catalogue.chains().catch((problem) => problem)
      console.log(error instanceof Problem, error.code)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: home })
    expect(stdout).toBe('true Unreachable\n')
  })

  it('is fully typed where modules are found as Node finds them, and right in itself', async () => {
    expect(await typesOf({ module: 'nodenext', lib: ['es2022', 'dom'], types: [], skipLibCheck: false }, ['typed.ts'])).toBe('')
  })

  it('is where a bundler finds them, and so are the examples', async () => {
    const examples = readdirSync(join(here, 'examples')).map((file) => join('examples', file))
    symlinkSync(join(here, 'examples'), join(home, 'examples'))
    symlinkSync(join(here, 'node_modules/viem'), join(home, 'node_modules/viem'))
    symlinkSync(join(here, '../../node_modules/@types'), join(home, 'node_modules/@types'))
    const asJs = { allowJs: true, checkJs: true, preserveSymlinks: true, types: ['node'] }
    const options = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true, ...asJs }
    expect(await typesOf(options, ['typed.ts', ...examples])).toBe('')
  })
})

/** What the compiler has to say. */
async function typesOf(options: object, files: readonly string[]): Promise<string> {
  const compilerOptions = { target: 'es2022', strict: true, noEmit: true, ...options }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout } = await run(join(here, '../../node_modules/.bin/tsc'), ['-p', home]).catch((error: { stdout: string }) => error)
  return stdout
}
