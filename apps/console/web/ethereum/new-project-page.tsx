import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import { Link, useNavigate } from 'react-router'
import { PageLayout } from '../parts/page-layout.js'
import { SubmitForm } from '../parts/submit-form.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { projectsOf, useEthereumChain, useMaxLimits } from './chain.js'
import { FormProblem } from './form-problem.js'
import { ProjectFields } from './project-fields.js'
import { hasName, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'

const texts = ethereumTexts.newProject

export function NewProjectPage() {
  const { chain, api, at, title: chainTitle } = useEthereumChain()
  const [form, dispatch] = useReducer(reduceProject, undefined, projectForm)
  const { data: max } = useMaxLimits()
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => api.projects.create({ body: projectBody(form) }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: projectsOf(chain) })
      await navigate(at(`/projects/${id}`))
    },
  })
  const mistakes = projectMistakes(form, creating.error)
  return (
    <PageLayout title={texts.title} description={texts.description(chainTitle)} above={[{ to: at(), label: chainTitle }]}>
      <SubmitForm
        action={texts.submit}
        submission={creating}
        problem={undefined}
        disabled={!hasName(form)}
        maxWidth={720}
        beside={
          <Button component={Link} to={at()} variant="default">
            {texts.cancel}
          </Button>
        }
      >
        <ProjectFields form={form} mistakes={mistakes} dispatch={dispatch} max={max} />
        <FormProblem error={creating.error} mistakes={mistakes} />
      </SubmitForm>
    </PageLayout>
  )
}
