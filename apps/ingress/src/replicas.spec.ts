import { Replicas } from './replicas.js'

const [a, b, c] = ['http://a', 'http://b', 'http://c'].map((url) => new URL(url)) as [URL, URL, URL]

describe(Replicas, () => {
  it('takes turns', () => {
    const replicas = new Replicas([a, b, c])
    expect([replicas.inOrder(0), replicas.inOrder(0), replicas.inOrder(0), replicas.inOrder(0)]).toEqual([
      [a, b, c],
      [b, c, a],
      [c, a, b],
      [a, b, c],
    ])
  })

  it('puts a resting replica last for five seconds', () => {
    const replicas = new Replicas([a, b])
    replicas.rest(a, 1000)
    expect([replicas.inOrder(1000)[0], replicas.inOrder(5999)[0], replicas.inOrder(6000)[0], replicas.inOrder(6000)[0]]).toEqual([
      b,
      b,
      a,
      b,
    ])
  })

  it('still returns all when all rest', () => {
    const replicas = new Replicas([a])
    replicas.rest(a, 0)
    expect(replicas.inOrder(0)).toEqual([a])
  })
})
