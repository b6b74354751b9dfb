import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@trestle/devnet/devnet'
import { createTrestle, type Trestle } from '@trestle/sdk/trestle'
import { eventually } from '@trestle/testing/eventually'
import { CommandLine } from './cli-under-test.js'

// A chain of each family is added: one by its record alone, one by configuration alone.

const NODE = join(import.meta.dirname, 'dogecoin-node.mjs')
const MINE = { name: 'mychain', chainId: 424_242, title: 'My Chain', unit: 'MYC', blockSeconds: 2, finalityDepth: 12 }
const GENESIS = '3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5'

const dataDir = mkdtempSync(join(tmpdir(), 'trestle-chains-'))
const cli = new CommandLine()
let devnet: Devnet
let ingress: string
let demo: Trestle
beforeAll(async () => {
  process.env.DOGECOIND = NODE
  const chains = { names: 'doge,mychain', file: JSON.stringify({ chains: [MINE] }) }
  devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, chains, only: ['accounts', 'btc-connect', 'eth-rpc', 'console'] })
  ingress = devnet.info.ingress
  await cli.login(ingress, devnet.info.demo)
  const { email, password } = devnet.info.demo
  const open = createTrestle({ url: ingress })
  const { accessToken } = await open.accounts.sessions.signIn({ basic: { username: email, password } })
  demo = open.with({ token: accessToken })
})
afterAll(async () => {
  await devnet?.stop()
  cli.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the platform', () => {
  it('lists both at the ingress, to the sdk, in a shell and to the console', async () => {
    const expected = [
      expect.objectContaining({ name: 'doge', title: 'Dogecoin', family: 'bitcoin', network: 'regtest', url: `${ingress}/doge` }),
      expect.objectContaining({ name: 'mychain', title: 'My Chain', family: 'evm', chainId: 424_242, unit: 'MYC', basePath: '/mychain' }),
    ]
    expect(await (await fetch(`${ingress}/chains`)).json()).toEqual(expected)
    expect(await demo.chains.list()).toEqual(expected)
    expect(await cli.json(['chains'])).toEqual(expected)
    const ofConsole = await fetch(`${devnet.info.services.console?.url}/api/chains`, { headers: { 'x-trestle-console': '1' } })
    expect(await ofConsole.json()).toEqual(expected)
    // The page has their titles from the start.
    expect(await (await fetch(`${ingress}/app/account/sign-in`)).text()).toContain('My Chain')
  })

  it('lists no other chain', async () => {
    expect(await cli.run(['btc', 'status'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Choose one of: doge') })
    expect(await cli.run(['eth', 'call', 'eth_chainId', '--chain', 'mychains'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean mychain?'),
    })
  })
})

describe('a chain of the Bitcoin family, by its record', () => {
  it('is indexed, with blocks that were mined together with another chain', async () => {
    const doge = demo.utxo('doge')
    await eventually(async () => ((await doge.status.sync()).status === 'finished' ? true : undefined), 'the index has the chain', 60_000)
    expect(await doge.blocks.hash({ params: { height: '0' } })).toEqual({ blockHash: GENESIS })
    const { blockHash } = await doge.blocks.hash({ params: { height: '5' } })
    const block = await doge.blocks.one({ params: { hash: blockHash } })
    expect(block).toMatchObject({ height: 5, version: 0x00620104, confirmations: 1, reward: 500_000 })
    const { vout } = await doge.transactions.one({ params: { hash: block.tx[0] ?? '' } })
    const [address = ''] = vout[0]?.scriptPubKey.addresses ?? []
    expect(await doge.addresses.summary({ params: { addr: address } })).toMatchObject({ balance: 50_000, txApperances: 5 })
  })

  it('is read in a shell, in its own unit', async () => {
    expect(await cli.json(['btc', 'block', '0', '--chain', 'doge'])).toMatchObject({ hash: GENESIS, height: 0 })
    expect(await cli.output(['btc', 'block', '-c', 'doge'])).toContain('500000 DOGE')
  })

  it('is named by its record, and nowhere else in the source', () => {
    const files = ['apps/*.ts', 'apps/*.tsx', 'packages/*.ts', 'tools', 'deploy']
    const listed = execFileSync('git', ['grep', '-lwiE', '(doge|dogecoin)', '--', ...files], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    })
    const sources = listed.split('\n').filter((file) => file && !/\.spec\.|\/test\//.test(file))
    // Beside its record: where a devnet finds its node, and what says so.
    const others = ['packages/devnet/src/chains/daemon.ts', 'tools/start-options.mjs']
    expect(sources.filter((file) => !others.includes(file))).toEqual(['packages/contracts/src/chains/bitcoin-family.ts'])
  })
})

describe('a chain of the Ethereum family, by configuration', () => {
  it('is called through a project', async () => {
    const mine = demo.evm('mychain')
    const project = await mine.projects.create({ body: { name: 'first' } })
    expect(project.url).toBe(`${ingress}/mychain/v1/${project.id}`)
    expect(await mine.provider(project).request({ method: 'eth_chainId' })).toBe('0x67932')
    const { number } = (await mine.provider(project).request({ method: 'eth_getBlockByNumber', params: ['finalized', false] })) as {
      number: string
    }
    expect(Number(number)).toBeGreaterThan(0)
  })

  it('is called in a shell', async () => {
    expect(await cli.json(['eth', 'call', 'eth_chainId', '-c', 'mychain', '--project', 'first'])).toBe('0x67932')
    const { areas } = await cli.json(['status'])
    expect(areas).toContainEqual(expect.objectContaining({ name: 'mychain', state: 'up' }))
  })
})
