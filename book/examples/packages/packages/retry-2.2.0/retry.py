def retry(action, times=3):
    return action()
