import { parseUpstreams } from './upstream-config.js'

describe(parseUpstreams, () => {
  it('reads one address and names it by its position', () => {
    expect(parseUpstreams('http://127.0.0.1:8545')).toEqual([
      { name: 'upstream-1', url: 'http://127.0.0.1:8545/', webSocketUrl: undefined, archive: false, priority: 0 },
    ])
  })

  it('reads every option', () => {
    const text = 'geth=https://me:secret@node:8545/v3/key?a=b+wss://node:8546/ws#archive#priority=2, http://b:1#priority=1'
    expect(parseUpstreams(text)).toEqual([
      { name: 'geth', url: 'https://me:secret@node:8545/v3/key?a=b', webSocketUrl: 'wss://node:8546/ws', archive: true, priority: 2 },
      { name: 'upstream-2', url: 'http://b:1/', webSocketUrl: undefined, archive: false, priority: 1 },
    ])
  })

  it('keeps a comma within an address, and ignores a trailing one', () => {
    expect(parseUpstreams('http://a/x,y?z=1,2,b=http://b/,').map(({ url }) => url)).toEqual(['http://a/x,y?z=1,2', 'http://b/'])
  })

  it.each([
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
    expect(() => parseUpstreams(text)).toThrow(message)
    expect(() => parseUpstreams(text)).not.toThrow(/secret/)
  })
})
