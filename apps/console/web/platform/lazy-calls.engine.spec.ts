import { lazyCalls } from './lazy-calls.engine.js'

const area = {
  things: {
    get: Object.assign(async (name: string) => `the ${name}`, {
      async *pages(name: string) {
        yield `a ${name}`
        yield `another ${name}`
      },
    }),
  },
}

describe('calls of what is not loaded', () => {
  it('load it once, for whichever comes first', async () => {
    let loads = 0
    const { things } = lazyCalls(async () => {
      loads++
      return area
    })
    expect(loads).toBe(0)
    expect(await Promise.all([things.get('node'), things.get('key')])).toEqual(['the node', 'the key'])
    const pages: string[] = []
    for await (const page of things.get.pages('key')) pages.push(page)
    expect([pages, loads]).toEqual([['a key', 'another key'], 1])
  })

  it('fail as the loading fails, which the next one tries again', async () => {
    const { things } = lazyCalls(failingOnce(new TypeError('Failed to fetch')))
    await expect(things.get('node')).rejects.toThrow('Failed to fetch')
    expect(await things.get('node')).toBe('the node')
  })

  it('are left in the middle like those of what is loaded', async () => {
    let isLeft = false
    const { pages } = lazyCalls(async () => ({
      async *pages() {
        try {
          yield 1
          yield 2
        } finally {
          isLeft = true
        }
      },
    }))
    for await (const page of pages()) if (page === 1) break
    expect(isLeft).toBe(true)
  })
})

function failingOnce(error: Error): () => Promise<typeof area> {
  let tries = 0
  return async () => {
    if (tries++ === 0) throw error
    return area
  }
}
