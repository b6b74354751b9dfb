import { setTimeout as delay } from 'node:timers/promises'
import { Recent } from './recent.js'

describe(Recent, () => {
  it('asks once for many who come together, and again later', async () => {
    let asked = 0
    const recent = new Recent<string, number>(20)
    const ask = async () => ++asked
    expect(await Promise.all([recent.get('a', ask), recent.get('a', ask), recent.get('b', ask)])).toEqual([1, 1, 2])
    expect(await recent.get('a', ask)).toBe(1)
    await delay(40)
    expect(await recent.get('a', ask)).toBe(3)
  })

  it('keeps no failure', async () => {
    const recent = new Recent<string, number>(60_000)
    await expect(recent.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await recent.get('a', async () => 1)).toBe(1)
  })
})
