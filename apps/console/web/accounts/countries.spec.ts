import { countriesWith } from './countries.js'

describe(countriesWith, () => {
  it('knows the 249 countries of ISO 3166-1, each once, by name', () => {
    const countries = countriesWith()
    expect(new Set(countries.map(({ value }) => value)).size).toBe(249)
    expect(countries.filter(({ value, label }) => value === label)).toEqual([])
    expect(countries).toContainEqual({ value: 'CH', label: 'Switzerland' })
  })

  it('keeps what a profile says that is no code', () => {
    expect(countriesWith('Freedonia')).toContainEqual({ value: 'Freedonia', label: 'Freedonia' })
    expect(countriesWith('CH')).toHaveLength(249)
  })
})
