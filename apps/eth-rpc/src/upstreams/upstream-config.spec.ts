import { parseUpstreams } from './upstream-config.js'

describe(parseUpstreams, () => {
  it('reads one address and names it by its position', () => {
    expect(parseUpstreams('http://127.0.0.1:8545', { chainId: 1 })).toEqual([
      { name: 'upstream-1', url: 'http://127.0.0.1:8545/', webSocketUrl: undefined, archive: false, priority: 0 },
    ])
  })

  it('reads every option', () => {
    const text = 'geth=https://me:secret@node:8545/v3/key?a=b+wss://node:8546/ws#archive#priority=2, http://b:1#priority=1'
    expect(parseUpstreams(text, { chainId: 1 })).toEqual([
      { name: 'geth', url: 'https://me:secret@node:8545/v3/key?a=b', webSocketUrl: 'wss://node:8546/ws', archive: true, priority: 2 },
      { name: 'upstream-2', url: 'http://b:1/', webSocketUrl: undefined, archive: false, priority: 1 },
    ])
  })

  it('keeps a comma within an address, and ignores a trailing one', () => {
    expect(parseUpstreams('http://a/x,y?z=1,2,b=http://b/,', { chainId: 1 }).map(({ url }) => url)).toEqual([
      'http://a/x,y?z=1,2',
      'http://b/',
    ])
  })

  it('reads providers, after own nodes unless they have a priority', () => {
    const text = 'http://a,alchemy://abcdef0123#archive,mine=drpc://abcdef0123#priority=3,public://'
    expect(
      parseUpstreams(text, { chainId: 1 }).map(({ name, url, priority, archive }) => [name, new URL(url).host, priority, archive]),
    ).toEqual([
      ['upstream-1', 'a', 0, false],
      ['alchemy', 'eth-mainnet.g.alchemy.com', -1, true],
      ['mine', 'lb.drpc.org', 3, false],
      ['public-1', 'ethereum-rpc.publicnode.com', -2, false],
      ['public-2', 'eth.drpc.org', -2, false],
    ])
  })

  it.each([
    ['alchemy://s', 'upstream 1 must be alchemy://KEY'],
    ['http://a,alchemy://abcdef0123secret!', 'upstream 2 must be alchemy://KEY'],
    ['', 'names no upstream'],
    ['   ', 'names no upstream'],
    ['ftp://secret', 'upstream 1 has no valid http:// or https:// address'],
    ['http://a,b=http://', 'upstream 2 has no valid http:// or https:// address'],
    ['http://a+ws://', 'upstream 1 has no valid ws:// or wss:// address'],
    ['http://a/secret#fast', 'upstream 1 has an unknown flag after #'],
    ['http://a/secret#priority=-1', 'upstream 1 has an unknown flag after #'],
    ['http://a/secret#priority=101', 'upstream 1 has an unknown flag after #'],
    ['a=http://secret,a=http://b', 'has two upstreams named "a"'],
    ['upstream-2=http://secret,http://b', 'has two upstreams named "upstream-2"'],
    ['Bad Name=http://secret', 'upstream 1 has no valid http:// or https:// address'],
  ])('refuses "%s": it %s', (text, message) => {
    expect(() => parseUpstreams(text, { chainId: 1 })).toThrow(message)
    expect(() => parseUpstreams(text, { chainId: 1 })).not.toThrow(/secret/)
  })
})
