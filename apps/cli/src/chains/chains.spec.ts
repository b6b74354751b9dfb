import { problem, StubPlatform } from '../../test/stub-platform.js'

const TIME = '2026-11-21T12:00:00.000Z'
const HASH = 'ab'.repeat(32)
const PROJECT = {
  id: 'ab'.repeat(16),
  name: 'mine',
  chain: 'eth',
  allowedOrigins: [],
  allowedMethods: [],
  allowedContracts: [],
  allowedIps: [],
  requireToken: false,
  limits: { perSecond: 500, perDay: 1_000_000 },
  createdAt: TIME,
  updatedAt: TIME,
  url: 'http://any/eth/v1/1',
}
const OTHER_PROJECT = { ...PROJECT, id: 'cd'.repeat(16), name: 'other' }

// Without a list of chains from the platform, the built-in table applies.
const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle btc', () => {
  it('shows unspent outputs in coins and satoshis', async () => {
    const output = { address: 'a', txid: HASH, vout: 1, scriptPubKey: '', amount: 1.5, satoshis: 150_000_000, confirmations: 0, ts: 1 }
    platform.on('GET /ltc/api/v1/addr/a/utxo', { body: [output] })
    const { stdout, requests } = await platform.run('btc utxo a -c ltc')
    expect(requests.at(-1)).toBe('GET /ltc/api/v1/addr/a/utxo')
    expect(stdout.split('\n')[1]).toBe(`${HASH}  1       1.5 LTC  150000000  mempool  0`)
  })

  it('broadcasts a transaction from the standard input', async () => {
    platform.on('POST /btc/api/v1/tx/send', { body: { txid: HASH } })
    const { stdout, requests } = await platform.run('btc send', { stdin: '0200\n' })
    expect([stdout, requests.at(-1)]).toEqual([`${HASH}\n`, 'POST /btc/api/v1/tx/send rawtx=0200'])
  })

  it('shows the reason why the node refused a transaction', async () => {
    platform.on('POST /btc/api/v1/tx/send', problem(400, 'TransactionRefused', 'TX decode failed. Code: -22'))
    expect(await platform.run('btc send 00')).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('TX decode failed') })
  })

  it('reports an unknown transaction with the exit code of not found', async () => {
    platform.on(`GET /btc/api/v1/tx/${HASH}`, problem(404, 'NotFound', 'Not found.'))
    expect(await platform.run(`btc tx ${HASH}`)).toMatchObject({ exit: 5, stderr: expect.stringContaining('NotFound, request request-1') })
  })

  it.each([
    ['btc addr a --chain ltx', 'Did you mean ltc?'],
    ['btc addr a --chain eth', 'serves no "eth"'],
    ['btc addr a --limit 0', '--limit cannot be "0"'],
  ])('refuses "%s" as wrong usage', async (line, text) => {
    expect(await platform.run(line)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(text) })
  })
})

describe('trestle eth', () => {
  it.each([
    ['"latest"', 'latest', 'false'],
    ['latest', 'latest', 'false'],
  ])('calls a method through the only project: %s', async (typed, block, full) => {
    platform.on('GET /eth/projects', { body: [PROJECT] })
    platform.on(`POST /eth/v1/${PROJECT.id}`, { body: { jsonrpc: '2.0', id: 1, result: '0x7' } })
    const { stdout, requests } = await platform.run(`eth call eth_getBlockByNumber '${typed}' ${full}`)
    expect(stdout).toBe('0x7\n')
    expect(requests.at(-1)).toContain(`"method":"eth_getBlockByNumber","params":["${block}",${full}]`)
  })

  it('asks for a quorum of nodes', async () => {
    platform.on('GET /eth/projects', { body: [PROJECT] })
    platform.on(`POST /eth/v1/${PROJECT.id}`, { body: { jsonrpc: '2.0', id: 1, result: '0x7' } })
    expect((await platform.run('eth call eth_chainId --quorum 2/3')).stdout).toBe('0x7\n')
    expect(platform.quorums.filter((each) => each !== undefined)).toEqual(['2/3'])
    expect(await platform.run('eth call eth_chainId --quorum 1/3')).toMatchObject({ exit: 2, requests: [] })
  })

  it.each([
    ['', [PROJECT, OTHER_PROJECT], 2, 'Several projects match.'],
    ['', [], 5, 'trestle eth projects create <name>'],
    ['-p nothing', [PROJECT], 5, 'You have no project "nothing".'],
  ])('calls nothing with "%s" of %j', async (option, projects, exit, text) => {
    platform.on('GET /eth/projects', { body: projects })
    const result = await platform.run(`eth call eth_chainId ${option}`)
    expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(text) })
    expect(result.requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })

  it('rotates the project that is named by the beginning of its id, with a grace period', async () => {
    platform.on('GET /eth/projects', { body: [PROJECT, OTHER_PROJECT] })
    platform.on(`POST /eth/projects/${OTHER_PROJECT.id}/rotations`, {
      body: { ...OTHER_PROJECT, formerIdUntil: '2026-11-22T13:00:00.000Z' },
    })
    const { stdout, requests } = await platform.run('eth projects rotate cdcd --grace 1h --yes')
    expect(requests.at(-1)).toBe(`POST /eth/projects/${OTHER_PROJECT.id}/rotations {"graceSeconds":3600}`)
    expect(stdout).toContain('old id ends  in 1h')
  })

  it('keeps a project unless its deletion is confirmed', async () => {
    platform.on('GET /eth/projects', { body: [PROJECT] }).on(`DELETE /eth/projects/${PROJECT.id}`, { status: 204 })
    expect((await platform.run('eth projects rm mine')).requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
    expect(await platform.run('eth projects rm mine --yes')).toMatchObject({ exit: 0, stderr: 'The project mine is deleted.\n' })
  })

  it('shows usage with latencies, and a dash where there are none', async () => {
    const row = { time: TIME, method: 'eth_call', calls: 3, errors: 1, computeUnits: 60, bytesOut: 1536, cacheHits: 2 }
    const latency = { p50: 1.234, p95: null, p99: null, counts: Array.from({ length: 18 }, () => 0) }
    platform.on('GET /eth/projects', { body: [PROJECT] })
    platform.on(`GET /eth/projects/${PROJECT.id}/usage`, {
      body: { from: TIME, to: TIME, granularity: 'day', usage: [{ ...row, latency }] },
    })
    const { stdout, requests } = await platform.run('eth usage --since 1d --by day')
    expect(requests.at(-1)).toBe(`GET /eth/projects/${PROJECT.id}/usage?from=${encodeURIComponent(TIME)}&granularity=day`)
    expect(stdout).toMatch(/eth_call +3 +1 +60 +2 +1\.5 KiB +1\.2 ms +-\n$/)
  })
})
