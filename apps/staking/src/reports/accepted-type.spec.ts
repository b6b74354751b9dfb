import { acceptedType } from './accepted-type.js'

describe(acceptedType, () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['Text/CSV; charset=utf-8', 'text/csv'],
    ['text/csv, application/json', 'application/json'],
    ['text/csv, application/json;q=0.9', 'text/csv'],
    ['text/html, application/json', 'application/json'],
    ['application/json;q=0, */*', 'text/csv'],
  ])('reads %j as a preference for %s', (accept, type) => {
    expect(acceptedType(accept)).toBe(type)
  })

  it.each(['text/html', 'application/xml, image/*', 'text/csv;q=0', 'nonsense'])('refuses %j', (accept) => {
    expect(() => acceptedType(accept)).toThrow(expect.objectContaining({ code: 'NotAcceptable', status: 406 }))
  })
})
