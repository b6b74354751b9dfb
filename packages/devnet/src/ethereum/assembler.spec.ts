import { assemble } from './assembler.js'

describe(assemble, () => {
  it('pushes numbers, and the places that are named', () => {
    const program = `
      0x01 @end JUMP ; over the rest
      0xffff ADD
      end: RETURN`
    expect(assemble(program).toString('hex')).toBe('60016100' + '0a' + '56' + '61ffff01' + '5bf3')
  })

  it.each([
    ['FLY', 'There is no instruction FLY.'],
    ['@nowhere JUMP', 'There is no such place.'],
  ])('refuses %s', (program, message) => {
    expect(() => assemble(program)).toThrow(message)
  })
})
