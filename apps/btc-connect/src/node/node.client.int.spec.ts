import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeNode, FakeRefusal } from '../../test/fake-node.js'
import { smallChain } from '../../test/small-chain.js'
import { NodeClient } from './node.client.js'
import { bestBlockHash, blockHash, chainInfo, networkInfo } from './node-calls.js'
import { NodeRefusal, NodeUnreachable } from './node-errors.js'

describe(NodeClient, () => {
  let node: FakeNode
  let client: NodeClient

  beforeEach(async () => {
    node = await FakeNode.start(smallChain(3))
    client = new NodeClient({ NODE_URL: node.url, NODE_COOKIE_FILE: undefined })
  })

  afterEach(async () => {
    await client.close()
    await node.stop()
  })

  it('parses a result by the schema of its call', async () => {
    expect(await client.call(blockHash(0))).toEqual(Buffer.from('0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206', 'hex'))
    expect(await client.call(networkInfo)).toMatchObject({ version: 290_000, warnings: 'one two' })
  })

  it('returns the results of a batch in the order of its calls, refusals included', async () => {
    const answers = await client.callAll([blockHash(99), bestBlockHash, blockHash(0)])
    expect(answers[0]).toEqual(new NodeRefusal(-8, 'Block height out of range'))
    expect(answers[1]).toEqual(await client.call(blockHash(3)))
    expect(answers[2]).toEqual(await client.call(blockHash(0)))
  })

  it('throws a refusal with the code of the node', async () => {
    await expect(client.call(blockHash(99))).rejects.toMatchObject({ name: 'NodeRefusal', code: -8, message: 'Block height out of range' })
  })

  it('treats a node that is starting up as unreachable', async () => {
    node.answers.getbestblockhash = () => {
      throw new FakeRefusal(-28, 'Loading block index...')
    }
    await expect(client.call(bestBlockHash)).rejects.toThrow(new NodeUnreachable('The node is starting up: Loading block index...'))
  })

  it.each([
    ['a page of HTML', (response: ServerResponse) => void response.setHeader('content-type', 'text/html').end('<html>Sign in</html>')],
    ['half an answer', (response: ServerResponse) => void response.end('{"result": "00')],
    ['another shape', (response: ServerResponse) => void response.end('{"result": 17, "error": null, "id": 0}')],
    ['nothing', (response: ServerResponse) => void response.end()],
    [
      'a body that breaks off',
      (response: ServerResponse) => void response.writeHead(200, { 'content-length': '100' }).end('{"re', () => response.destroy()),
    ],
    ['a connection that closes', (response: ServerResponse) => void response.destroy()],
    ['a body without an end', endless],
    ['silence', () => undefined],
  ])('is unreachable if it gets %s', async (_, takeOver) => {
    node.takeOver = takeOver
    await expect(client.call(chainInfo, { timeoutMs: 300, maxBytes: 100_000 })).rejects.toThrow(NodeUnreachable)
  })

  it('keeps its timeout however slowly a response arrives', async () => {
    node.takeOver = (response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    await expect(client.call(chainInfo, { timeoutMs: 200 })).rejects.toThrow('The node did not respond within 0.2 s.')
  })

  it('stops as soon as its caller aborts', async () => {
    node.takeOver = () => undefined
    const caller = new AbortController()
    const asking = client.call(chainInfo, { signal: caller.signal })
    caller.abort(new Error('enough'))
    await expect(asking).rejects.toThrow('enough')
  })

  it('works after all of these failures', async () => {
    node.takeOver = endless
    await expect(client.call(chainInfo, { maxBytes: 10_000 })).rejects.toThrow('The node sent more than 10000 bytes.')
    node.takeOver = undefined
    expect(await client.call(bestBlockHash)).toHaveLength(32)
  })

  it('refuses a REST path that does not exist', async () => {
    await node.stop()
    await expect(client.call(bestBlockHash)).rejects.toThrow('The node cannot be reached: ECONNREFUSED.')
    node = await FakeNode.start()
  })

  it('reads REST, and distinguishes a missing resource from an unreachable node', async () => {
    expect(await client.rest('/chaininfo.json')).toEqual(Buffer.from('{}'))
    await expect(client.rest('/block/x.bin')).rejects.toThrow(NodeRefusal)
    node.takeOver = (response) => void response.writeHead(503).end('Work queue depth exceeded')
    await expect(client.rest('/chaininfo.json')).rejects.toThrow(NodeUnreachable)
  })
})

describe('the credentials of a NodeClient', () => {
  const SECRET = 'very-secret-p@ss'
  let node: FakeNode
  let folder: string
  let cookie: string

  beforeEach(async () => {
    node = await FakeNode.start(smallChain(1))
    node.credentials = `user:${SECRET}`
    folder = await mkdtemp(join(tmpdir(), 'cookie-'))
    cookie = join(folder, '.cookie')
  })

  afterEach(async () => {
    await node.stop()
    await rm(folder, { recursive: true })
  })

  function clientWith({ url = node.url, file }: { url?: string; file?: string }): NodeClient {
    return new NodeClient({ NODE_URL: url, NODE_COOKIE_FILE: file })
  }

  it('can be in the URL', async () => {
    const client = clientWith({ url: node.url.replace('//', `//user:${encodeURIComponent(SECRET)}@`) })
    expect(await client.call(bestBlockHash)).toHaveLength(32)
    await client.close()
  })

  it('are read from the cookie file, and again when the node has a new one', async () => {
    await writeFile(cookie, `user:${SECRET}\n`)
    const client = clientWith({ file: cookie })
    expect(await client.call(bestBlockHash)).toHaveLength(32)
    node.credentials = '__cookie__:another'
    await writeFile(cookie, '__cookie__:another')
    expect(await client.call(bestBlockHash)).toHaveLength(32)
    await client.close()
  })

  it('are read again after they were wrong or missing', async () => {
    const client = clientWith({ file: cookie })
    await expect(client.call(bestBlockHash)).rejects.toThrow("The node's cookie file cannot be read: ENOENT.")
    await writeFile(cookie, 'user:wrong')
    await expect(client.call(bestBlockHash)).rejects.toThrow('The node refuses our credentials.')
    await writeFile(cookie, `user:${SECRET}`)
    expect(await client.call(bestBlockHash)).toHaveLength(32)
    await client.close()
  })

  it('are not in any error', async () => {
    const url = node.url.replace('//', `//user:${encodeURIComponent(SECRET)}@`)
    const client = clientWith({ url })
    const lies: (typeof node.takeOver)[] = [
      (response) => void response.destroy(),
      (response) => void response.writeHead(401).end(),
      (response) => void response.end('<html>'),
      () => undefined,
    ]
    for (const lie of lies) {
      node.takeOver = lie
      const error = await client.call(bestBlockHash, { timeoutMs: 200 }).catch((thrown: Error) => thrown)
      expect(error).toBeInstanceOf(NodeUnreachable)
      const told = JSON.stringify(everythingOf(error))
      expect(told).not.toContain(SECRET)
      expect(told).not.toContain(Buffer.from(`user:${SECRET}`).toString('base64'))
    }
    await client.close()
  })
})

function endless(response: ServerResponse): void {
  const write = () => {
    while (response.write('x'.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

function everythingOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return { ...error, message: error.message, stack: error.stack, cause: everythingOf(error.cause) }
}
