def retry(action, times=5):
    return action()
