import { parseUpstreamsFile } from './upstreams-file.js'

const SOURCE = {
  chainId: 1,
  env: {
    TOKEN: 's3cret-token',
    PROVIDER: 'drpc://s3cretkey',
    HOSTED: 'https://hosted.example.org/v3/s3cret',
    EMPTY: '',
    BROKEN: 's3cret\nheader',
  },
  readFile(path: string): string {
    const content: Record<string, string> = {
      '/run/password': 's3cret-password\n',
      '/tls/ca.pem': 'CA',
      '/tls/cert.pem': 'CERT',
      '/tls/key.pem': 'KEY',
    }
    if (content[path] === undefined) throw new Error('s3cret')
    return content[path]
  },
}

describe(parseUpstreamsFile, () => {
  it('reads an upstream with its defaults', () => {
    expect(read('upstreams: [{ name: geth, url: http://10.0.0.5:8545 }]')).toEqual([
      { name: 'geth', url: 'http://10.0.0.5:8545/', archive: false, priority: 0 },
    ])
  })

  it('reads every member', () => {
    const [config] = read(`
      upstreams:
        - name: geth-1
          url: https://10.0.0.5:8545
          webSocketUrl: wss://10.0.0.5:8546
          archive: true
          priority: 2
          weight: 3
          cost: 0.5
          budget: 30000000
          headers: { X-Api-Key: env:TOKEN, x-region: eu }
          basic: { user: trestle, password: file:/run/password }
          tls: { certFile: /tls/cert.pem, keyFile: /tls/key.pem, caFile: /tls/ca.pem }
          rateLimit: 50
          firstBlock: 18000000
          methods: { allowed: [eth_*, net_version], refused: [eth_getLogs] }
          cordon: true
          shadow: 0.1
    `)
    expect(config).toEqual({
      name: 'geth-1',
      url: 'https://10.0.0.5:8545/',
      webSocketUrl: 'wss://10.0.0.5:8546/',
      archive: true,
      priority: 2,
      weight: 3,
      cost: 0.5,
      budget: { name: 'geth-1', perMonth: 30_000_000 },
      headers: {
        'x-api-key': 's3cret-token',
        'x-region': 'eu',
        authorization: `Basic ${Buffer.from('trestle:s3cret-password').toString('base64')}`,
      },
      tls: { cert: 'CERT', key: 'KEY', ca: 'CA' },
      rateLimit: 50,
      firstBlock: 18_000_000,
      methods: { allowed: ['eth_*', 'net_version'], refused: ['eth_getLogs'] },
      cordon: true,
      shadow: 0.1,
    })
  })

  it('has one budget for all that name it, and opens no WebSocket that a provider would count', () => {
    const configs = read(`
      budgets: { hosted: 1000 }
      upstreams:
        - { name: one, url: drpc://s3cretkey, budget: hosted }
        - { name: other, url: http://a, webSocketUrl: ws://a, budget: hosted }
    `)
    expect(configs.map(({ budget }) => budget)).toEqual(Array(2).fill({ name: 'hosted', perMonth: 1000 }))
    expect(configs.map(({ webSocketUrl }) => webSocketUrl)).toEqual([undefined, 'ws://a/'])
  })

  it.each(['0', '-1', '1.5', 'nothing', '[]', '1000000000001'])('refuses a budget of %s', (budget) => {
    expect(() => read(`upstreams: [{ name: a, url: http://a, budget: ${budget} }]`)).toThrow('upstream "a": budget must be a whole number')
  })

  it('refuses budgets that are none', () => {
    expect(() => read('{ budgets: { a: s3cret }, upstreams: [{ name: a, url: http://a }] }')).toThrow('must have one member, upstreams')
  })

  it('takes an address and a token from the environment', () => {
    expect(read('upstreams: [{ name: a, url: env:HOSTED, bearer: env:TOKEN }]')).toEqual([
      {
        name: 'a',
        url: 'https://hosted.example.org/v3/s3cret',
        archive: false,
        priority: 0,
        headers: { authorization: 'Bearer s3cret-token' },
      },
    ])
  })

  it('reads what UPSTREAMS would be, as a mounted secret has it', () => {
    expect(read('geth=http://a:8545+ws://a:8546#archive#priority=2,http://b/key\n').map(({ name, archive }) => [name, archive])).toEqual([
      ['geth', true],
      ['upstream-2', false],
    ])
  })

  it('reads providers, after own nodes unless they have a priority', () => {
    const text = `
      upstreams:
        - { name: own, url: 'http://a' }
        - { name: alchemy, url: 'alchemy://abcdef0123', archive: true, cost: 2 }
        - { name: hosted, url: 'env:PROVIDER', priority: 1, webSocketUrl: 'wss://other' }
        - { name: open, url: 'public://' }`
    expect(read(text).map(({ name, url, webSocketUrl, priority }) => [name, new URL(url).host, webSocketUrl, priority])).toEqual([
      ['own', 'a', undefined, 0],
      ['alchemy', 'eth-mainnet.g.alchemy.com', 'wss://eth-mainnet.g.alchemy.com/v2/abcdef0123', -1],
      ['hosted', 'lb.drpc.org', 'wss://other/', 1],
      ['open-1', 'ethereum-rpc.publicnode.com', undefined, -2],
      ['open-2', 'eth.drpc.org', undefined, -2],
    ])
  })

  it('reaches all through the proxy that it is given, but those with another or none', () => {
    const text = `upstreams:
      - { name: a, url: 'http://a' }
      - { name: b, url: 'http://b', proxy: 'http://other:3128', compression: true }
      - { name: c, url: 'http://c', proxy: none }`
    const proxies = parseUpstreamsFile(text, { ...SOURCE, proxy: 'http://proxy:3128' }).map(({ proxy }) => proxy)
    expect(proxies).toEqual(['http://proxy:3128/', 'http://other:3128/', undefined])
    expect(parseUpstreamsFile('http://a', { ...SOURCE, proxy: 'http://proxy:3128' })[0]?.proxy).toBe('http://proxy:3128')
  })

  it.each([
    ['{', 'is no YAML at line 1'],
    ['a: [s3cret\nb: }', 'is no YAML at line 2'],
    ['upstreams: *s3cret', 'is no YAML'],
    ['', 'must have one member, upstreams'],
    ['[]', 'must have one member, upstreams'],
    ['upstreams: []', 'must have one member, upstreams: a list of 1 to 200 upstreams'],
    ['upstreams: s3cret', 'must have one member, upstreams'],
    ['{ upstreams: [{ name: a, url: http://a }], more: s3cret }', 'must have one member, upstreams'],
    [of('url: http://a', ''), 'upstream 1: name must be a name of lower-case letters'],
    [of('name: S3cret Name, url: http://a', ''), 'upstream 1: name must be a name of lower-case letters'],
    [of(''), 'upstream "a": url must be an http:// or https:// address'],
    [of('url: ftp://s3cret'), 'upstream "a": url must be an http:// or https:// address'],
    [of('url: s3cret'), 'upstream "a": url must be an http:// or https:// address'],
    [of('url: env:NOWHERE'), 'upstream "a": url refers to NOWHERE, which is not set in the environment'],
    [of('url: env:EMPTY'), 'upstream "a": url refers to EMPTY, which is not set in the environment'],
    [of('url: env:TOKEN'), 'upstream "a": url must be an http:// or https:// address'],
    [of('url: http://a, webSocketUrl: http://s3cret'), 'upstream "a": webSocketUrl must be a ws:// or wss:// address'],
    [of('url: http://a, weight: s3cret'), 'upstream "a": weight must be a whole number from 1 to 1000'],
    [of('url: http://a, weight: 0'), 'upstream "a": weight must be a whole number from 1 to 1000'],
    [of('url: http://a, priority: 101'), 'upstream "a": priority must be a whole number from 0 to 100'],
    [of('url: http://a, archive: s3cret'), 'upstream "a": archive must be true or false'],
    [of('url: http://a, shadow: 2'), 'upstream "a": shadow must be a share of the calls, above 0 and up to 1'],
    [of('url: http://a, proxy: s3cret'), 'upstream "a": proxy must be the http:// or https:// address of a proxy'],
    [of('url: "alchemy://s3cret!"'), 'upstream "a": url must be alchemy://KEY'],
    [of('url: http://a, rateLimit: -1'), 'upstream "a": rateLimit must be the calls a second'],
    [of('url: http://a, methods: { allowed: [s3cret] }'), 'upstream "a": methods must be allowed and refused'],
    [of('url: http://a, methods: { only: [eth_call] }'), 'upstream "a": methods must be allowed and refused'],
    [of('url: http://a, headers: { Host: s3cret }'), 'upstream "a": headers must be names with their values'],
    [of('url: http://a, headers: { "a b": s3cret }'), 'upstream "a": headers must be names with their values'],
    [of('url: http://a, headers: { key: env:BROKEN }'), 'upstream "a": headers must have values of printable ASCII'],
    [of('url: http://a, bearer: file:/nowhere'), 'upstream "a": bearer refers to /nowhere, which cannot be read'],
    [of('url: http://a, bearer: s3cret, basic: { user: s3cret, password: s3cret }'), 'upstream "a": must have one of bearer, basic'],
    [of('url: "http://me:s3cret@a", headers: { Authorization: s3cret }'), 'upstream "a": must have one of bearer, basic'],
    [of('url: http://a, basic: { user: s3cret }'), 'upstream "a": basic must be a user and a password'],
    [of('url: http://a, tls: { certFile: /tls/cert.pem }'), 'upstream "a": tls must have certFile and keyFile, or neither'],
    [of('url: http://a, tls: { caFile: /nowhere }'), 'upstream "a": tls refers to /nowhere, which cannot be read'],
    [of('url: http://a, colour: s3cret'), 'upstream "a": has no member "colour": it may have name, url'],
    ['upstreams: [s3cret]', 'upstream 1: must have the members name, url'],
    ['upstreams: [{ name: a, url: http://a }, { name: a, url: http://s3cret }]', 'has two upstreams named "a"'],
  ])('refuses %j: it %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
    expect(() => read(text)).not.toThrow(/s3cret/i)
  })
})

function read(text: string) {
  return parseUpstreamsFile(text, SOURCE)
}

function of(members: string, name = 'name: a'): string {
  return `upstreams: [{ ${[name, members].filter(Boolean).join(', ')} }]`
}
