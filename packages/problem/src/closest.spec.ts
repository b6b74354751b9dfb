import { closest } from './closest.js'

describe(closest, () => {
  it.each([
    ['nodse', 'nodes'],
    ['ltd', 'ltc'],
    ['creat', 'create'],
  ])('to %s is %s', (typed, word) => {
    expect(closest(typed, ['clusters', 'nodes', 'create', 'ltc'])).toBe(word)
  })

  it('is nothing where more than a third of the letters differ', () => {
    expect(closest('nde', ['btc', 'node'])).toBe('node')
    expect(closest('doge', ['btc', 'node'])).toBeUndefined()
  })
})
