import { eventually } from '@trestle/testing/eventually'
import { CommandLine, expectGolden } from '../cli-under-test.js'
import { newcomer, platform } from './platform.js'

// Every command of these nouns once, as a shell script would call it; the files beside this one have the others.

const cli = new CommandLine()
beforeAll(async () => {
  await cli.login(platform.ingress, await newcomer('owner-of-nodes'))
})

afterAll(() => cli.remove())

describe('a node', () => {
  let id: string

  it('is created, and awaited with its phases on standard error', async () => {
    const { stdout, stderr } = await cli.run(['nodes', 'create', 'ltc', '--wait', '--ttl', '8h', '-o', 'json'])
    const node = JSON.parse(stdout)
    expectGolden('nodes create', node)
    id = node.id
    expect(stderr).toMatch(new RegExp(`^${id}: .*\\n(.*\\n)*${id}: ready`))
  })

  it('is listed, shown, called, and its log is read', async () => {
    expect(await cli.golden('nodes list')).toHaveLength(1)
    expect(await cli.output(['nodes', 'list'])).toMatch(new RegExp(`^ID .*\\n${id}  ltc regtest .*ready`))
    const { auth } = await cli.golden('nodes info', id)
    expect(await cli.output(['nodes', 'info', id])).not.toContain(auth.pass)
    expect(await cli.output(['nodes', 'info', id, '--reveal'])).toContain(auth.pass)
    await cli.golden('nodes status', id)
    expect(await cli.json(['nodes', 'rpc', id, 'getblockhash', '0'])).toMatch(/^[0-9a-f]{64}$/)
    expect(await cli.run(['nodes', 'rpc', id, 'stop'])).toMatchObject({ code: 2, stderr: expect.stringContaining('JSON-RPC error -32601') })
    expect((await cli.golden('nodes logs', id, '-n', '5')).lines).toHaveLength(5)
    expect((await cli.golden('nodes images')).map(({ chain }: { chain: string }) => chain)).toContain('ltc')
  })

  it('is watched while it stops and starts, until Ctrl-C', async () => {
    const watching = cli.start(['nodes', 'status', id, '--watch', '-o', 'json'])
    const reading = cli.start(['nodes', 'logs', id, '-f', '-n', '1'])
    await watching.says(/"phase":"ready"/)
    await reading.says(/\n/)
    await cli.golden('nodes stop', id)
    await watching.says(/"phase":"stopped"/)
    expect(await cli.json(['nodes', 'start', id, '--wait'])).toMatchObject({ phase: 'ready' })
    await reading.says(/init message|Litecoin Core version/)
    for (const { child } of [watching, reading]) child.kill('SIGINT')
    expect((await Promise.all([watching.ended, reading.ended])).map(({ code: ended, stderr }) => [ended, stderr])).toEqual([
      [130, ''],
      [130, ''],
    ])
  })

  it('continues when the wait is interrupted, which prints how to check it', async () => {
    const waiting = cli.start(['nodes', 'create', 'ltc', '--wait'])
    await waiting.says(/^node-\S+: pending|starting/)
    waiting.child.kill('SIGINT')
    const { code: ended, stdout, stderr } = await waiting.ended
    const [, other = ''] = /(node-\S+) continues in the background\. Follow it with: trestle nodes status \1 --watch\n$/.exec(stderr) ?? []
    expect([ended, stdout]).toEqual([130, ''])
    expect(await cli.json(['nodes', 'info', other])).toMatchObject({ state: 'started' })
    await cli.output(['nodes', 'rm', other, '--yes'])
  })

  it('is removed after a confirmation, and then it is not found', async () => {
    await cli.golden('nodes rotate', id)
    expect(await cli.code(['nodes', 'rm', id])).toBe(2)
    await cli.golden('nodes rm', id, '--yes')
    expect(await cli.code(['nodes', 'info', id])).toBe(5)
  })
})

it('a cluster is created, called, changed and removed', async () => {
  const { id } = await cli.golden('clusters create', 'ltc', '--wait', '--alias', 'shop')
  expect(await cli.golden('clusters list')).toEqual([expect.objectContaining({ alias: 'shop', healthCount: 2 })])
  await cli.golden('clusters info', id)
  expect((await cli.golden('clusters status', id)).members).toHaveLength(2)
  expect(await cli.output(['clusters', 'status', id])).toMatch(/NODE +SOFTWARE/)
  expect(await cli.json(['clusters', 'rpc', id, 'getblockcount'])).toBe(0)
  expect((await cli.json(['clusters', 'logs', id, '-n', '2'])).lines.length).toBeGreaterThan(0)
  expect(await cli.json(['clusters', 'scale', id, '6'])).toMatchObject({ capacity: 6 })
  expect(await cli.code(['clusters', 'scale', id, '11'])).toBe(2)
  expect(await cli.code(['clusters', 'upgrade', id, 'service-00000000-0000-4000-8000-000000000000'])).toBe(5)
  expect(await cli.code(['clusters', 'abort', id])).toBe(6)
  const { service } = await cli.json(['clusters', 'info', id])
  const services = await cli.json(['nodes', 'images'])
  const large = services.find((each: { id: string; chain: string }) => each.chain === 'ltc' && each.id !== service).id
  expect(await cli.json(['clusters', 'upgrade', id, large])).toMatchObject({ service, updatingService: large })
  await cli.output(['clusters', 'abort', id])
  await eventually(async () => (await cli.json(['clusters', 'info', id])).updatingService === null || undefined, 'it is as it was', 60_000)
  await cli.output(['clusters', 'rotate', id])
  await cli.output(['clusters', 'stop', id])
  await cli.output(['clusters', 'start', id])
  await cli.golden('clusters rm', id, '--yes')
})
