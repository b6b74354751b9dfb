import { accountExistsMail, passwordChangedMail, passwordResetMail, verificationMail } from './user-mails.js'

const ADA = { id: 'user-1', email: "o'ada@example.org" }
const URL = 'https://trestle.example'

describe.each([
  [verificationMail(ADA, 'secret', URL), '/app/account/verify/user-1/secret', 'PUT', '/accounts/users/user-1/token/secret'],
  [passwordResetMail(ADA, 'secret', URL), '/app/account/reset/user-1/secret', 'PUT', '/accounts/users/user-1/password-resets/secret'],
  [accountExistsMail(ADA, URL), '/app/account/forgot', 'POST', '/accounts/users/password-resets'],
  [passwordChangedMail(ADA, URL), '/app/account/forgot', 'POST', '/accounts/users/password-resets'],
])('%#: the mail $subject', ({ to, text }, page, method, path) => {
  it('leads to a page of the console, on a line of its own', () => {
    expect(text.split('\n')).toContain(URL + page)
  })

  it('has the API call, too', () => {
    expect(text).toContain(`  curl -X ${method} ${URL}${path}`)
  })

  it('goes to its owner', () => {
    expect(to).toBe(ADA.email)
  })
})
