import { eventually } from '@trestle/testing/eventually'

const TOKEN = /\/token\/([0-9a-f-]{36})/

/** The verification token of the newest mail to this address. */
export function tokenMailedTo(email: string, mailbox: string): Promise<string> {
  return mailed(email, mailbox, TOKEN)
}

/** Those of all mails to this address so far. */
export async function tokensMailedTo(email: string, mailbox: string): Promise<string[]> {
  return (await textsTo(email, mailbox)).flatMap((text) => TOKEN.exec(text)?.[1] ?? [])
}

/** The newest link to this page of the console. */
export function linkMailedTo(email: string, mailbox: string, page: string): Promise<string> {
  return mailed(email, mailbox, new RegExp(`(\\S+/app/account/${page}/\\S+)`))
}

function mailed(email: string, mailbox: string, what: RegExp): Promise<string> {
  return eventually(async () => {
    const texts = await textsTo(email, mailbox)
    return texts.map((text) => what.exec(text)?.[1]).find((found) => found !== undefined)
  }, `${what} is mailed to ${email}`)
}

/** The newest first. */
async function textsTo(email: string, mailbox: string): Promise<string[]> {
  const mails = (await (await fetch(`${mailbox}?to=${encodeURIComponent(email)}`)).json()) as { text: string }[]
  return mails.map(({ text }) => text)
}
