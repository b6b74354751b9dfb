import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useReducer } from 'react'
import { Link, useNavigate } from 'react-router'
import { PageLayout } from '../parts/page-layout.js'
import { chainsTexts } from '../texts/chains.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { projectsOf, useEthereumChain } from './chain.js'
import { FormProblem } from './form-problem.js'
import { ProjectFields } from './project-fields.js'
import { hasName, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'

const texts = ethereumTexts.newProject

export function NewProjectPage() {
  const { chain, api, at } = useEthereumChain()
  const [form, dispatch] = useReducer(reduceProject, undefined, projectForm)
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => api.projects.create({ body: projectBody(form) }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: projectsOf(chain) })
      await navigate(at(`/projects/${id}`))
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    creating.mutate()
  }
  const mistakes = projectMistakes(form, creating.error)
  return (
    <PageLayout
      title={texts.title}
      description={texts.description(chainsTexts.names[chain] ?? chain)}
      above={[{ to: at(), label: chainsTexts.names[chain] ?? chain }]}
    >
      <form onSubmit={submit}>
        <Stack maw={720}>
          <ProjectFields form={form} mistakes={mistakes} dispatch={dispatch} />
          <FormProblem error={creating.error} mistakes={mistakes} />
          <Group>
            <Button type="submit" loading={creating.isPending} disabled={!hasName(form)}>
              {texts.submit}
            </Button>
            <Button component={Link} to={at()} variant="default">
              {texts.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </PageLayout>
  )
}
