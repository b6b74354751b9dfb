import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { CenteredPage } from './centered-page.js'

interface MailedActionProps {
  texts: { readonly title: string; readonly text: string; readonly submit: string }
  /** What the token in the mail is for. */
  perform: (params: { id: string; token: string }) => Promise<{ email: string }>
  /** Which notice the sign-in shows. */
  notice: 'changed' | 'undone'
}

/** Where a link in a mail leads. It takes a click, because mail scanners open links, too. */
export function MailedAction({ texts, perform, notice }: MailedActionProps) {
  const { id = '', token = '' } = useParams()
  const navigate = useNavigate()
  const performing = useMutation({
    mutationFn: async () => {
      const { email } = await perform({ id, token })
      await navigate(`/app/account/sign-in?${new URLSearchParams({ [notice]: '1', email })}`, { replace: true })
    },
  })
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      {performing.error && <ProblemNotice error={performing.error} />}
      <Button onClick={() => performing.mutate()} loading={performing.isPending}>
        {texts.submit}
      </Button>
    </CenteredPage>
  )
}
