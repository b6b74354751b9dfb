import type { OutgoingMail } from '../mail/mail.js'

/** Somebody is asked to approve something, or what they asked for was decided. */
export type ApprovalNotice =
  | { readonly kind: 'approval-requested'; readonly at: Date }
  | { readonly kind: 'approval-decided'; readonly decision: 'approved' | 'refused'; readonly at: Date }

export function approvalNoticeMail(to: string, notice: ApprovalNotice): OutgoingMail {
  const { subject, text } = notice.kind === 'approval-decided' ? DECIDED[notice.decision] : REQUESTED
  return {
    to,
    subject,
    text: `${text}

  Time:  ${notice.at.toISOString().slice(0, 19).replace('T', ' ')} UTC

With the command line, in the organization:

  trestle approvals list --all
`,
  }
}

const REQUESTED = {
  subject: 'Somebody asks for your approval',
  text: 'A member of an organization of yours wants to do something that a second person has to approve. Read what exactly will happen, and approve or refuse it within 24 hours.',
}

const DECIDED = {
  approved: {
    subject: 'What you asked for was approved',
    text: 'A second person has approved what you asked for. Carry it out within an hour: run the same command again.',
  },
  refused: { subject: 'What you asked for was refused', text: 'A second person has refused what you asked for.' },
}
